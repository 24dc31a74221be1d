//! sysbench 1.0: how it is called, and what it prints. Quantiles come from its histogram, so that one run gives
//! several.

use crate::client::Client;
use crate::program::{self, Folder, Running};
use crate::stop::Stop;
use crate::{Result, failed, stats};
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

/// A load.
#[derive(Clone, Debug)]
pub(crate) struct Load {
    pub(crate) script: &'static str,
    pub(crate) schema: String,
    pub(crate) tables: u32,
    pub(crate) rows: u64,
    pub(crate) threads: u32,
    pub(crate) seconds: u32,
    pub(crate) more: Vec<&'static str>,
}

/// What one run gave. Latencies in milliseconds.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Figures {
    pub(crate) queries: f64,
    pub(crate) qps: f64,
    pub(crate) tps: f64,
    pub(crate) p50: f64,
    pub(crate) p95: f64,
    pub(crate) p99: f64,
    pub(crate) max: f64,
    pub(crate) errors: f64,
    /// Transactions of each second.
    pub(crate) each: Vec<f64>,
}

/// The program, and a server as it knows it.
pub(crate) struct Sysbench {
    program: PathBuf,
    config: PathBuf,
    folder: PathBuf,
    stop: Stop,
}

impl Sysbench {
    /// sysbench for a server; its file of options lies in `folder`.
    pub(crate) fn new(client: &Client, folder: &Folder, stop: &Stop) -> Result<Sysbench> {
        let Some(program) = program::find(&["sysbench"]) else {
            return failed("sysbench is not installed (Debian: sysbench)");
        };
        let config = folder.path().join(format!("sysbench-{:08x}.cnf", sys::process::random_u64() as u32));
        let mut f = std::fs::File::options().write(true).create_new(true).mode(0o600).open(&config)?;
        f.write_all(client.sysbench().as_bytes())?;
        Ok(Sysbench { program, config, folder: folder.path().to_owned(), stop: stop.clone() })
    }

    fn command(&self, load: &Load, verb: &str) -> Command {
        let mut c = Command::new(&self.program);
        c.arg(format!("--config-file={}", self.config.display())).arg(load.script);
        c.args([
            format!("--mysql-db={}", load.schema),
            format!("--tables={}", load.tables),
            format!("--table-size={}", load.rows),
            format!("--threads={}", load.threads),
            format!("--time={}", load.seconds),
        ]);
        // text protocol, as in the articles
        c.args(["--events=0", "--histogram=on", "--report-interval=1", "--db-ps-mode=disable", "--rand-type=uniform"]);
        c.args(&load.more).arg(verb);
        c
    }

    /// Makes and fills the tables.
    pub(crate) fn prepare(&self, load: &Load) -> Result<()> {
        let load = Load { threads: load.tables.min(4), ..load.clone() };
        let longest = Duration::from_secs(3600);
        let out = program::run(self.command(&load, "prepare"), "prepare", &self.folder, &self.stop, longest)?;
        if out.contains("FATAL") { failed(tail(&out)) } else { Ok(()) }
    }

    /// Starts the load without waiting for it.
    pub(crate) fn start(&self, load: &Load) -> Result<Running> {
        Running::start(self.command(load, "run"), "sysbench", &self.folder, false)
    }

    /// Runs the load. `meanwhile` is called again and again with the time since its start.
    pub(crate) fn run(&self, load: &Load, meanwhile: &mut dyn FnMut(Duration) -> Result<()>) -> Result<Figures> {
        let longest = Duration::from_secs(u64::from(load.seconds) * 3 + 180);
        let out = self.start(load)?.wait(&self.stop, longest, meanwhile)?;
        read(&out)
    }
}

fn tail(out: &str) -> String {
    let lines: Vec<&str> = out.lines().filter(|l| !l.trim().is_empty()).collect();
    format!("sysbench:\n{}", lines.get(lines.len().saturating_sub(5)..).unwrap_or_default().join("\n"))
}

/// The number behind `name` in a line.
fn number(out: &str, name: &str) -> Option<f64> {
    let line = out.lines().find_map(|l| l.trim_start().strip_prefix(name))?;
    line.trim_start().split(|c: char| !(c.is_ascii_digit() || c == '.')).next()?.parse().ok()
}

/// The number between `(` and ` per sec.` of a line.
fn rate(out: &str, name: &str) -> Option<f64> {
    let line = out.lines().find_map(|l| l.trim_start().strip_prefix(name))?;
    line.split_once('(')?.1.split_once(' ')?.0.parse().ok()
}

/// Reads what sysbench printed.
pub(crate) fn read(out: &str) -> Result<Figures> {
    if out.contains("FATAL:") {
        return failed(tail(out));
    }
    let bucket = |l: &str| -> Option<(f64, u64)> {
        let (value, rest) = l.split_once('|')?;
        let count = rest.rsplit(|c: char| c == '*' || c.is_whitespace()).next()?;
        Some((value.trim().parse().ok()?, count.parse().ok()?))
    };
    let histogram: Vec<(f64, u64)> = out.lines().filter_map(bucket).collect();
    let each = out
        .lines()
        .filter(|l| l.starts_with("[ "))
        .filter_map(|l| l.split_once("tps: ")?.1.split(' ').next()?.parse().ok());
    let found = || {
        Some(Figures {
            queries: number(out, "queries:")?,
            qps: rate(out, "queries:")?,
            tps: rate(out, "transactions:")?,
            p50: stats::quantile(&histogram, 0.5)?,
            p95: stats::quantile(&histogram, 0.95)?,
            p99: stats::quantile(&histogram, 0.99)?,
            max: number(out, "max:")?,
            errors: number(out, "ignored errors:")?,
            each: each.collect(),
        })
    };
    match found() {
        Some(f) => Ok(f),
        None => failed(format!("what sysbench printed is not understood:\n{}", tail(out))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As sysbench 1.0.20 prints it.
    const OUT: &str = "\
sysbench 1.0.20 (using system LuaJIT 2.1.0-beta3)

Running the test with following options:
Number of threads: 2
Threads started!

[ 1s ] thds: 2 tps: 1200.50 qps: 1200.50 (r/w/o: 0.00/1200.50/0.00) lat (ms,95%): 1.10 err/s: 0.00 reconn/s: 0.00
[ 2s ] thds: 2 tps: 1100.00 qps: 1100.00 (r/w/o: 0.00/1100.00/0.00) lat (ms,95%): 1.10 err/s: 0.00 reconn/s: 0.00
Latency histogram (values are in milliseconds)
       value  ------------- distribution ------------- count
       0.250 |****                                     90
       0.500 |**************************************** 9
      12.000 |                                         1
 
SQL statistics:
    queries performed:
        read:                            0
        total:                           200
    transactions:                        100    (49.90 per sec.)
    queries:                             200    (99.80 per sec.)
    ignored errors:                      3      (1.50 per sec.)
    reconnects:                          0      (0.00 per sec.)

General statistics:
    total time:                          2.0040s
    total number of events:              100

Latency (ms):
         min:                                    0.20
         avg:                                    0.40
         max:                                   12.34
         95th percentile:                        0.50
";

    #[test]
    fn what_it_prints() {
        let f = read(OUT).unwrap();
        assert_eq!((f.queries, f.qps, f.tps, f.errors), (200.0, 99.8, 49.9, 3.0));
        assert_eq!((f.p50, f.p95, f.p99, f.max), (0.25, 0.5, 0.5, 12.34));
        assert_eq!(f.each, [1200.5, 1100.0]);
    }

    #[test]
    fn failures() {
        assert!(read("FATAL: mysql_drv_query() returned error 1205\n").is_err());
        assert!(read("").is_err());
        assert!(read(&OUT.replace("max:", "most:")).is_err());
    }
}
