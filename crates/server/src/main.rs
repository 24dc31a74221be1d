//! The `evenkeel` binary: `evenkeel serve [OPTIONS]`, `evenkeel lab`, `--version`, `--help`.

use server::{VERSION, options, run};
use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: sys::alloc::Counting<tikv_jemallocator::Jemalloc> = sys::alloc::Counting(tikv_jemallocator::Jemalloc);

const USAGE: &str =
    "Usage: evenkeel serve [OPTIONS]     run the server (options as mysqld's; `evenkeel serve --help` lists them)
       evenkeel lab ...            experiments against a MySQL-protocol server
       evenkeel --version";

fn main() -> ExitCode {
    sys::alloc::keep_no_huge_blocks();
    let args: Vec<String> = std::env::args_os().skip(1).map(|a| a.to_string_lossy().into_owned()).collect();
    match args.split_first() {
        Some((cmd, rest)) if cmd == "serve" || cmd == "server" => serve(rest),
        Some((cmd, _)) if cmd == "lab" => {
            eprintln!("evenkeel lab: the lab is not part of this build yet.\n{USAGE}");
            ExitCode::from(2)
        }
        Some((cmd, _)) if cmd == "--version" || cmd == "-V" || cmd == "version" => {
            println!("{}", version_line());
            ExitCode::SUCCESS
        }
        Some((cmd, _)) if cmd == "--help" || cmd == "-?" || cmd == "-h" || cmd == "help" => {
            println!("{}\n{USAGE}", version_line());
            ExitCode::SUCCESS
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

fn version_line() -> String {
    format!("evenkeel  Ver {VERSION} for Linux on {} ({})", std::env::consts::ARCH, server::VERSION_COMMENT)
}

fn serve(args: &[String]) -> ExitCode {
    let options = match options::load(args) {
        Ok(o) => o,
        Err(e) => {
            server::log::error(10_000, &e);
            server::log::error(10_119, "Aborting");
            return ExitCode::from(1);
        }
    };
    match options.action {
        options::Action::Help => println!("{}\n\n{}", version_line(), options::help_text()),
        options::Action::Version => println!("{}", version_line()),
        options::Action::PrintDefaults => {
            println!("evenkeel would have been started with the following arguments:\n{}", options.arguments.join(" "));
        }
        options::Action::Serve | options::Action::Initialize | options::Action::InitializeInsecure => {
            if let Err(e) = run::run(options) {
                server::log::error(e.code, &e.text);
                server::log::error(10_119, "Aborting");
                return ExitCode::from(1);
            }
        }
    }
    ExitCode::SUCCESS
}
