//! `evenkeel lab`: the experiments of the four articles against any MySQL-protocol server (docs/lab.md).
//!
//! * [`args`]: what is asked for; [`experiments`]: what is measured, one file each.
//! * [`peers`]: servers that the lab starts, and targets that are there already. [`groups`]: control groups.
//! * [`client`], [`sysbench`], [`program`]: everything that speaks to a server is an installed program (`mysql`,
//!   `mysqldump`, `sysbench`): the lab knows no protocol and no crate of the server, as its subjects are equal.
//! * [`outcome`]: what was found, a JSON file that is written after each measurement, so that a run can be resumed.
//! * [`report`]: the terminal's tables and the HTML page, made from that file alone. [`stats`]: medians, intervals.
//!
//! One thread does everything in order; another one waits for signals ([`stop`]). Whatever is started or made
//! (servers, clients, folders, control groups) belongs to a value whose `Drop` ends or removes it, so that an error,
//! Ctrl-C and the good end go the same way. Tested: beside each module, and `tests/clients/test_lab.py`.

mod args;
mod client;
mod experiments;
mod groups;
mod lab;
mod outcome;
mod peers;
mod program;
mod progress;
mod report;
mod stats;
mod stop;
mod sysbench;

use std::path::PathBuf;

/// Why the lab stops.
#[derive(Clone, PartialEq, Debug)]
enum Trouble {
    /// Somebody asked it to (a signal).
    Stopped,
    /// Something does not work; the text says what.
    Failed(String),
}

type Result<T> = std::result::Result<T, Trouble>;

fn failed<T>(text: impl Into<String>) -> Result<T> {
    Err(Trouble::Failed(text.into()))
}

impl From<std::io::Error> for Trouble {
    fn from(e: std::io::Error) -> Trouble {
        Trouble::Failed(e.to_string())
    }
}

/// The program that this is part of.
pub struct Program {
    /// Its file, which is started as the server that is measured.
    pub path: PathBuf,
    /// Its version.
    pub version: String,
}

/// Runs `evenkeel lab ARGUMENTS`; the exit code. Blocks signals: call it before there are threads.
pub fn main(program: &Program, arguments: &[String]) -> u8 {
    let wish = match args::parse(arguments, &|name| std::env::var(name).ok()) {
        Ok(wish) => wish,
        Err(text) => {
            eprintln!("evenkeel lab: {text}\nevenkeel lab --help says more.");
            return 2;
        }
    };
    let done = match wish {
        args::Wish::Help => {
            lab::say(args::HELP);
            return 0;
        }
        args::Wish::Report(folder) => lab::report(&folder),
        args::Wish::Run(options) => lab::run(program, *options),
    };
    match done {
        Ok(true) => 0,
        Ok(false) => 1,
        Err(Trouble::Stopped) => {
            eprintln!("evenkeel lab: stopped; what was started has been ended. --resume goes on from here.");
            130
        }
        Err(Trouble::Failed(text)) => {
            eprintln!("evenkeel lab: {text}");
            1
        }
    }
}
