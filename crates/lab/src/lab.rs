//! A run of the lab: what experiments share, the order of things, and where results go.

use crate::args::{Options, Which};
use crate::client::Answer;
use crate::outcome::{Key, Measured, Outcome, Told};
use crate::peers::Server;
use crate::program::Folder;
use crate::progress::{Progress, span};
use crate::stop::Stop;
use crate::{Program, Result, Trouble, experiments, failed, report};
use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// What one measurement found.
#[derive(Default)]
pub(crate) struct Found {
    pub(crate) values: BTreeMap<String, f64>,
    pub(crate) lines: BTreeMap<String, Vec<f64>>,
}

impl Found {
    pub(crate) fn value(&mut self, name: &str, value: f64) {
        self.values.insert(name.into(), tidy(value));
    }

    pub(crate) fn line(&mut self, name: &str, values: &[f64]) {
        self.lines.insert(name.into(), values.iter().map(|v| tidy(*v)).collect());
    }
}

/// Nine digits, which a JSON file gives back as they were.
fn tidy(v: f64) -> f64 {
    format!("{v:.8e}").parse().unwrap_or(v)
}

/// A measurement that is to be made, and how long it takes at most as a rule.
#[derive(Clone, Debug)]
pub(crate) struct Step {
    pub(crate) key: Key,
    pub(crate) seconds: f64,
}

/// One run.
pub(crate) struct Lab {
    pub(crate) options: Options,
    /// The program whose server is measured.
    pub(crate) program: PathBuf,
    pub(crate) stop: Stop,
    /// For files of clients.
    pub(crate) folder: Folder,
    pub(crate) outcome: Outcome,
    progress: Progress,
    began: Instant,
    before: f64,
}

impl Lab {
    /// Makes a measurement unless it is there. What fails is written down as such and told.
    pub(crate) fn step(&mut self, step: &Step, measure: &mut dyn FnMut(&mut Lab) -> Result<Found>) -> Result<()> {
        self.stop.check()?;
        if self.outcome.has(&step.key) {
            return Ok(());
        }
        let k = &step.key;
        let name = format!("{}: {}, {}, round {}", k.experiment, k.server, k.point, k.round);
        self.progress.says(&name);
        let (found, error) = match measure(self) {
            Ok(f) => (f, None),
            Err(Trouble::Stopped) => return Err(Trouble::Stopped),
            Err(Trouble::Failed(text)) => {
                self.progress.note(&format!("{name}: {text}"));
                (Found::default(), Some(text))
            }
        };
        self.outcome.add(Measured { key: k.clone(), values: found.values, lines: found.lines, error });
        self.progress.done(step.seconds);
        self.save()
    }

    /// What happens between measurements.
    pub(crate) fn says(&self, text: &str) {
        self.progress.says(text);
    }

    /// Notes that something is left out.
    pub(crate) fn leave_out(&mut self, which: Which, what: &str, why: &str) {
        self.progress.note(&format!("left out: {}: {what}: {why}", which.name()));
        self.outcome.leave_out(which.name(), what, why);
    }

    /// Asks a server a question that shows the cause, and keeps the answer.
    pub(crate) fn ask(
        &mut self,
        which: Which,
        server: &Server,
        point: &str,
        question: &(String, String),
    ) -> Result<()> {
        let (title, sql) = question.clone();
        let answer = match server.client.query(&sql) {
            Ok(a) => Ok(short(a)),
            Err(Trouble::Stopped) => return Err(Trouble::Stopped),
            Err(Trouble::Failed(text)) => Err(text.lines().last().unwrap_or_default().to_owned()),
        };
        let (experiment, server, point) = (which.name().to_owned(), server.name.clone(), point.to_owned());
        self.outcome.tell(Told { experiment, server, point, title, sql, answer });
        Ok(())
    }

    /// Waits, unless the lab is to stop.
    pub(crate) fn pause(&self, time: Duration) -> Result<()> {
        let began = Instant::now();
        while began.elapsed() < time {
            self.stop.check()?;
            std::thread::sleep(Duration::from_millis(20).min(time));
        }
        Ok(())
    }

    pub(crate) fn save(&mut self) -> Result<()> {
        self.outcome.seconds = self.before + self.began.elapsed().as_secs_f64();
        self.outcome.save(&self.options.out)
    }
}

/// An answer of a length that one reads.
fn short(mut a: Answer) -> Answer {
    a.rows.truncate(40);
    for cell in a.rows.iter_mut().flatten().flatten() {
        if cell.len() > 6000 {
            let end = (0..=6000).rev().find(|i| cell.is_char_boundary(*i)).unwrap_or_default();
            cell.truncate(end);
            cell.push('…');
        }
    }
    a
}

/// To the standard output. A reader that has seen enough and gone is no failure.
pub(crate) fn say(text: &str) {
    let mut out = std::io::stdout().lock();
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.write_all(b"\n")).and_then(|()| out.flush());
}

/// Facts of the machine that a reader of the report wants.
fn machine(folder: &Path) -> Vec<(String, String)> {
    let read = |p: &str| std::fs::read_to_string(p).unwrap_or_default();
    let cpu = read("/proc/cpuinfo");
    let model = cpu.lines().find_map(|l| l.strip_prefix("model name")?.split_once(": ").map(|m| m.1.to_owned()));
    let limits = sys::limits::current();
    let mut out = vec![
        ("host".to_owned(), sys::process::hostname()),
        ("processor".to_owned(), model.unwrap_or_else(|| std::env::consts::ARCH.to_owned())),
        ("CPUs".to_owned(), format!("{} ({:.1} granted)", sys::thread::cpus_configured(), limits.effective_cpus())),
        ("memory".to_owned(), format!("{} GB", sys::usage::machine_memory() >> 30)),
        ("kernel".to_owned(), read("/proc/sys/kernel/osrelease").trim().to_owned()),
    ];
    let load = read("/proc/loadavg");
    if let Some(load) = load.split(' ').next() {
        out.push(("load before".to_owned(), load.to_owned()));
    }
    if let Ok(device) = crate::groups::device_of(folder) {
        out.push(("device of the data".to_owned(), device));
    }
    out
}

/// Makes the folder and its outcome, or reads the one that goes on.
fn outcome(program: &Program, options: &Options) -> Result<Outcome> {
    std::fs::create_dir_all(&options.out).or_else(|e| failed(format!("{}: {e}", options.out.display())))?;
    if options.resume {
        let mut o = Outcome::load(&options.out)?;
        if o.program != program.version {
            return failed(format!(
                "{} was begun by version {}, this is {}",
                options.out.display(),
                o.program,
                program.version
            ));
        }
        (o.finished, o.left_out) = (false, Vec::new());
        return Ok(o);
    }
    if options.out.join(crate::outcome::FILE).exists() {
        let out = options.out.display();
        return failed(format!(
            "{out} has a result already: `evenkeel lab resume {out}` goes on, --out=FOLDER takes another folder"
        ));
    }
    Ok(Outcome {
        program: program.version.clone(),
        written: options.written.clone(),
        quick: options.quick,
        began: sys::clock::wall_seconds(),
        machine: machine(&options.temp),
        ..Outcome::default()
    })
}

/// Runs the experiments; whether something was measured and nothing failed (what is left out is told, and no failure).
pub(crate) fn run(program: &Program, options: Options) -> Result<bool> {
    let stop = Stop::listen()?;
    sys::process::raise_open_files(65_536);
    let outcome = outcome(program, &options)?;
    let folder = Folder::new(&options.temp)?;
    let all: Vec<Step> = options.experiments.iter().flat_map(|w| experiments::steps(*w, &options)).collect();
    let left: f64 = all.iter().filter(|s| !outcome.has(&s.key)).map(|s| s.seconds).sum();
    let count = all.iter().filter(|s| !outcome.has(&s.key)).count();
    eprintln!("{count} measurements, about {}; results go to {}", span(left), options.out.display());
    let mut lab = Lab {
        program: program.path.clone(),
        stop,
        folder,
        before: outcome.seconds,
        outcome,
        progress: Progress::new(left),
        began: Instant::now(),
        options,
    };
    lab.save()?;
    for which in lab.options.experiments.clone() {
        experiments::run(which, &mut lab)?;
    }
    lab.outcome.finished = true;
    lab.save()?;
    let (outcome, out) = (lab.outcome.clone(), lab.options.out.clone());
    // the bar and all files of clients go before the tables come
    drop(lab);
    write_reports(&outcome, &out)?;
    Ok(!outcome.measured.is_empty() && outcome.measured.iter().all(|m| m.error.is_none()))
}

/// Makes the reports of a folder anew.
pub(crate) fn report(folder: &Path) -> Result<bool> {
    let outcome = Outcome::load(folder)?;
    write_reports(&outcome, folder)?;
    Ok(true)
}

fn write_reports(outcome: &Outcome, folder: &Path) -> Result<()> {
    let sections: Vec<report::Section> =
        Which::ALL.into_iter().filter_map(|w| experiments::section(w, outcome)).collect();
    say(&report::terminal(outcome, &sections));
    let file = folder.join("report.html");
    std::fs::write(&file, report::html(outcome, &sections)).or_else(|e| failed(format!("{}: {e}", file.display())))?;
    say(&format!("The report: {}", file.display()));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::tidy;

    #[test]
    fn numbers_survive_the_file() {
        assert_eq!([tidy(0.498_207_061_051_502_36), tidy(53_923.28), tidy(-0.0)], [0.498_207_061, 53_923.28, 0.0]);
        for v in [0.1 + 0.2, 1.0 / 3.0, 2e9 / 7.0].map(tidy) {
            let text = serde_json::json!(v).to_string();
            assert_eq!(serde_json::from_str::<serde_json::Value>(&text).unwrap().as_f64(), Some(v), "{text}");
        }
        assert!(tidy(f64::NAN).is_nan());
    }
}
