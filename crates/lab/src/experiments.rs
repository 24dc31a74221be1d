//! The experiments, one file each: which measurements there are, how one is made, which query shows the cause, and what
//! the report shows.

mod connections;
mod instrumentation;
mod quota;
mod side_load;

use crate::args::{Options, Which};
use crate::lab::{Found, Lab, Step};
use crate::outcome::{Key, Outcome};
use crate::peers::{Server, Subject, Wanted};
use crate::report::Section;
use crate::sysbench::{Figures, Load};
use crate::{Result, Trouble, stats};

/// The measurements of an experiment.
pub(crate) fn steps(which: Which, options: &Options) -> Vec<Step> {
    match which {
        Which::Connections => connections::steps(options),
        Which::Quota => quota::steps(options),
        Which::SideLoad => side_load::steps(options),
        Which::Instrumentation => instrumentation::steps(options),
    }
}

/// Runs an experiment.
pub(crate) fn run(which: Which, lab: &mut Lab) -> Result<()> {
    match which {
        Which::Connections => connections::run(lab),
        Which::Quota => quota::run(lab),
        Which::SideLoad => side_load::run(lab),
        Which::Instrumentation => instrumentation::run(lab),
    }
}

/// What the report says of an experiment; `None` if it was not run.
pub(crate) fn section(which: Which, outcome: &Outcome) -> Option<Section> {
    let has = outcome.measured.iter().any(|m| m.key.experiment == which.name())
        || outcome.left_out.iter().any(|l| l.experiment == which.name());
    has.then(|| match which {
        Which::Connections => connections::section(outcome),
        Which::Quota => quota::section(outcome),
        Which::SideLoad => side_load::section(outcome),
        Which::Instrumentation => instrumentation::section(outcome),
    })
}

/// A measurement's key.
fn key(which: Which, server: &str, point: &str, round: u32) -> Key {
    Key { experiment: which.name().into(), server: server.into(), point: point.into(), round }
}

/// Starts the servers that have something left to measure, each with the load's tables. One that cannot be had is left
/// out, with the reason.
fn servers(lab: &mut Lab, which: Which, wanted: &Wanted, load: &Load) -> Result<Vec<Server>> {
    let steps = steps(which, &lab.options);
    let mut out = Vec::new();
    for subject in Subject::all(&lab.options) {
        let name = subject.name().to_owned();
        if steps.iter().filter(|s| s.key.server == name).all(|s| lab.outcome.has(&s.key)) {
            continue;
        }
        lab.says(&format!("{}: starts {name} and fills its tables", which.name()));
        let mut ready = || -> Result<Server> {
            let mut server = Server::start(lab, &subject, wanted)?;
            server.make_schema()?;
            server.sysbench.prepare(load)?;
            Ok(server)
        };
        match ready() {
            Ok(server) => out.push(server),
            Err(Trouble::Stopped) => return Err(Trouble::Stopped),
            Err(Trouble::Failed(why)) => lab.leave_out(which, &name, &why),
        }
    }
    Ok(out)
}

/// Runs a load and measures the server's processor time with it.
fn loaded(
    server: &Server,
    load: &Load,
    meanwhile: &mut dyn FnMut(std::time::Duration) -> Result<()>,
) -> Result<(Found, Figures)> {
    let before = server.cpu();
    let began = std::time::Instant::now();
    let f = server.sysbench.run(load, meanwhile)?;
    let seconds = began.elapsed().as_secs_f64();
    let mut found = Found::default();
    if let (Some(before), Some(after)) = (before, server.cpu()) {
        found.value("cpu_us", (after - before) * 1e6 / f.queries.max(1.0));
        found.value("cpus", (after - before) / seconds);
    }
    let figures = [
        ("qps", f.qps),
        ("tps", f.tps),
        ("p50", f.p50),
        ("p95", f.p95),
        ("p99", f.p99),
        ("max", f.max),
        ("errors", f.errors),
    ];
    for (name, value) in figures {
        found.value(name, value);
    }
    found.line("tps", &f.each);
    Ok((found, f))
}

/// A median as text, with what it lies between in brackets if there are several values.
fn middle(values: &[f64], show: &dyn Fn(f64) -> String) -> String {
    match (stats::median(values), stats::interval(values)) {
        (Some(m), Some((low, high))) if values.len() > 1 => format!("{} ({}–{})", show(m), show(low), show(high)),
        (Some(m), _) => show(m),
        _ => "–".into(),
    }
}

/// The median of a value as text.
fn plain(values: &[f64], show: &dyn Fn(f64) -> String) -> String {
    stats::median(values).map_or_else(|| "–".into(), show)
}

/// A number with three digits that count, thousands apart.
pub(crate) fn figure(v: f64) -> String {
    if !v.is_finite() {
        return "–".into();
    }
    if v.abs() < 100.0 {
        let digits = if v.abs() < 1.0 {
            3
        } else if v.abs() < 10.0 {
            2
        } else {
            1
        };
        return format!("{v:.digits$}");
    }
    let text = format!("{:.0}", v.abs());
    let mut out = String::new();
    for (i, c) in text.chars().enumerate() {
        if i > 0 && (text.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(c);
    }
    if v < 0.0 { format!("-{out}") } else { out }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers() {
        assert_eq!(
            [0.1234, 5.678, 56.78, 567.8, 1234.5, -1234567.0, f64::NAN].map(figure),
            ["0.123", "5.68", "56.8", "568", "1,234", "-1,234,567", "–"]
        );
        assert_eq!(middle(&[1.0, 3.0, 2.0], &figure), "2.00 (1.00–3.00)");
        assert_eq!(middle(&[], &figure), "–");
        assert_eq!(plain(&[2.0], &figure), "2.00");
    }
}
