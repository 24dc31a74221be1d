//! The `evenkeel` binary: `evenkeel serve [OPTIONS]`, `evenkeel lab`, `evenkeel backup`, `evenkeel restore`, `--version`, `--help`; under the name `mysqld` it is `evenkeel serve`.

use server::{VERSION, options, run};
use std::io::Write;
use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: sys::alloc::Counting<tikv_jemallocator::Jemalloc> = sys::alloc::Counting(tikv_jemallocator::Jemalloc);

const USAGE: &str =
    "Usage: evenkeel serve [OPTIONS]     run the server (options as mysqld's; `evenkeel serve --verbose --help` lists them)
       evenkeel lab EXPERIMENT... [OPTIONS]   measure this server and others (`evenkeel lab --help`)
       evenkeel backup --to=FOLDER [OPTIONS]  a backup of a running server (`evenkeel backup --help`)
       evenkeel restore BACKUP... --datadir=FOLDER   a data directory out of it (`evenkeel restore --help`)
       evenkeel --version
A link to this program that is called mysqld takes the options alone, as mysqld does.";

fn main() -> ExitCode {
    sys::alloc::keep_no_huge_blocks();
    let mut all = std::env::args_os().map(|a| a.to_string_lossy().into_owned());
    let program = all.next().unwrap_or_default();
    let args: Vec<String> = all.collect();
    let name = program.rsplit('/').next().unwrap_or_default();
    // the laboratory's folders are for other servers' accounts too
    if args.first().is_none_or(|cmd| cmd != "lab") {
        keep_files_private();
    }
    if name.starts_with("mysqld") {
        return serve(&program, &args);
    }
    match args.split_first() {
        Some((cmd, rest)) if cmd == "serve" || cmd == "server" => serve("evenkeel", rest),
        Some((cmd, rest)) if cmd == "lab" => lab(&program, rest),
        Some((cmd, rest)) if cmd == "backup" => ExitCode::from(server::backup_command::backup(rest)),
        Some((cmd, rest)) if cmd == "restore" => ExitCode::from(server::backup_command::restore(rest)),
        Some((cmd, _)) if cmd == "--version" || cmd == "-V" || cmd == "version" => {
            println!("{}", version_line("evenkeel"));
            ExitCode::SUCCESS
        }
        Some((cmd, _)) if cmd == "--help" || cmd == "-?" || cmd == "-h" || cmd == "help" => {
            println!("{}\n{USAGE}", version_line("evenkeel"));
            ExitCode::SUCCESS
        }
        Some((cmd, _)) if cmd.starts_with('-') => {
            eprintln!(
                "evenkeel: '{cmd}' is an option of the server: write `evenkeel serve {}`\n{USAGE}",
                args.join(" ")
            );
            ExitCode::from(2)
        }
        other => {
            if let Some((cmd, _)) = other {
                eprintln!("evenkeel: unknown command '{cmd}'");
            }
            eprintln!("{USAGE}");
            ExitCode::from(2)
        }
    }
}

/// What is written from here on is for this account and its group, as with mysqld (files 0640, folders 0750): logs have
/// the rows of all databases in clear. Files for everybody say so themselves (certificates, the socket). A stricter
/// umask stays.
fn keep_files_private() {
    let before = sys::process::umask(0o027);
    sys::process::umask(before | 0o027);
}

/// The laboratory. The server that it measures is this program, wherever it was called from.
fn lab(program: &str, args: &[String]) -> ExitCode {
    let path = std::env::current_exe().unwrap_or_else(|_| program.into());
    ExitCode::from(lab::main(&lab::Program { path, version: VERSION.to_owned() }, args))
}

fn version_line(program: &str) -> String {
    format!("{program}  Ver {VERSION} for Linux on {} ({})", std::env::consts::ARCH, server::VERSION_COMMENT)
}

fn serve(program: &str, args: &[String]) -> ExitCode {
    use options::Action;
    let options = options::load(args);
    match options.action {
        Action::Version => print(&version_line(program)),
        Action::PrintDefaults => {
            let all = options.arguments.join(" ");
            print(&format!("{program} would have been started with the following arguments:\n{all}"));
        }
        Action::Help | Action::VerboseHelp => {
            print(&format!("{}\n\n{}", version_line(program), options::help_text(&options, program)));
            tell(&options.problems);
        }
        _ if !options.problems.is_empty() => {
            tell(&options.problems);
            return aborted();
        }
        Action::ValidateConfig => {
            for w in &options.warnings {
                server::log::warning(10_000, w);
            }
        }
        Action::Serve | Action::Initialize | Action::InitializeInsecure => return start(options),
    }
    ExitCode::SUCCESS
}

/// To the standard output. A reader that has seen enough and gone is no failure: scripts stop reading at the line they look for.
fn print(text: &str) {
    let mut out = std::io::stdout().lock();
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.write_all(b"\n")).and_then(|()| out.flush());
}

fn tell(problems: &[options::Problem]) {
    for p in problems {
        server::log::error(p.code, &p.text);
    }
}

fn aborted() -> ExitCode {
    server::log::error(10_119, "Aborting");
    ExitCode::from(1)
}

/// Runs the server, in the background where that is asked for.
fn start(options: options::Options) -> ExitCode {
    if options.daemonize {
        // before there are threads
        match sys::daemon::split() {
            Ok(sys::daemon::Side::Child) => {}
            Ok(sys::daemon::Side::Parent { ready: true }) => return ExitCode::SUCCESS,
            Ok(sys::daemon::Side::Parent { ready: false }) => return ExitCode::from(1),
            Err(e) => {
                server::log::error(10_000, &format!("--daemonize: {e}"));
                return aborted();
            }
        }
    }
    let dir = std::path::PathBuf::from(options.globals.string(catalog::sysvar::Var::datadir));
    let is_new = std::fs::read_dir(&dir).map_or(true, |mut d| d.next().is_none());
    match run::run(options) {
        Ok(true) => ExitCode::from(sys::process::RESTART),
        Ok(false) => ExitCode::SUCCESS,
        Err(e) => {
            server::notify::failed(&e.text);
            server::log::error(e.code, &e.text);
            if let Some(what) = server::advice::start(&e.text, &dir, is_new) {
                server::log::error(10_000, &what);
            }
            aborted()
        }
    }
}
