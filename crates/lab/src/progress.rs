//! How far a run is: a bar where a terminal is, a line a step elsewhere.

use indicatif::{ProgressBar, ProgressStyle};
use std::io::IsTerminal;
use std::time::Duration;

/// The bar of a run; its length is the seconds that all steps are expected to take.
pub(crate) struct Progress {
    bar: Option<ProgressBar>,
    all: f64,
    done: f64,
}

impl Progress {
    /// A bar for so many seconds.
    pub(crate) fn new(all: f64) -> Progress {
        let bar = std::io::stderr().is_terminal().then(|| {
            let bar = ProgressBar::new(all.max(1.0) as u64);
            if let Ok(style) = ProgressStyle::with_template("{bar:30} {percent:>3} % {wide_msg}") {
                bar.set_style(style.progress_chars("=> "));
            }
            bar.enable_steady_tick(Duration::from_millis(500));
            bar
        });
        Progress { bar, all, done: 0.0 }
    }

    /// What happens now.
    pub(crate) fn says(&self, what: &str) {
        let left = (self.all - self.done).max(0.0);
        match &self.bar {
            Some(bar) => bar.set_message(format!("{what} (about {} left)", span(left))),
            None => eprintln!("{:>3} % {what}", (100.0 * self.done / self.all.max(1.0)).min(100.0) as u32),
        }
    }

    /// A step of so many seconds is done.
    pub(crate) fn done(&mut self, seconds: f64) {
        self.done += seconds;
        if let Some(bar) = &self.bar {
            bar.set_position(self.done as u64);
        }
    }

    /// A line above the bar.
    pub(crate) fn note(&self, text: &str) {
        match &self.bar {
            Some(bar) => bar.suspend(|| eprintln!("{text}")),
            None => eprintln!("{text}"),
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

/// A time as people say it.
pub(crate) fn span(seconds: f64) -> String {
    let s = seconds.round() as u64;
    match s {
        0..90 => format!("{s} s"),
        90..5400 => format!("{} min", (s + 30) / 60),
        _ => format!("{} h {} min", (s + 30) / 3600, (s + 30) % 3600 / 60),
    }
}

#[cfg(test)]
mod tests {
    use super::span;

    #[test]
    fn times() {
        assert_eq!([0.4, 89.0, 90.0, 3600.0, 7290.0].map(span), ["0 s", "89 s", "2 min", "60 min", "2 h 2 min"]);
    }
}
