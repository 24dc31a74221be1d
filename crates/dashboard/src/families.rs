//! Prometheus' text format (version 0.0.4): families of samples, each with its help and type once.

use std::collections::HashMap;
use std::fmt::Write;

/// Type of a metric.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    Counter,
    Gauge,
    Untyped,
}

struct Family {
    name: String,
    help: String,
    kind: Kind,
    samples: String,
}

/// All that a page says, in the order in which families were begun.
#[derive(Default)]
pub(crate) struct Families {
    list: Vec<Family>,
    places: HashMap<String, usize>,
}

/// Labels of a sample: names and values.
pub(crate) type Labels<'a> = &'a [(&'a str, &'a str)];

impl Families {
    /// Adds a sample. Help and kind count where the family is met for the first time.
    pub(crate) fn add(&mut self, (name, help, kind): (&str, &str, Kind), labels: Labels<'_>, value: f64) {
        let at = match self.places.get(name) {
            Some(at) => *at,
            None => {
                self.places.insert(name.to_owned(), self.list.len());
                let family = Family { name: name.to_owned(), help: help.to_owned(), kind, samples: String::new() };
                self.list.push(family);
                self.list.len() - 1
            }
        };
        let Some(f) = self.list.get_mut(at) else { return };
        f.samples.push_str(name);
        for (i, (label, value)) in labels.iter().enumerate() {
            f.samples.push(if i == 0 { '{' } else { ',' });
            f.samples.push_str(label);
            f.samples.push_str("=\"");
            escape(value, true, &mut f.samples);
            f.samples.push('"');
        }
        if !labels.is_empty() {
            f.samples.push('}');
        }
        // writing to a String does not fail
        let _ = match value {
            v if v == f64::INFINITY => writeln!(f.samples, " +Inf"),
            v if v == f64::NEG_INFINITY => writeln!(f.samples, " -Inf"),
            v => writeln!(f.samples, " {v}"),
        };
    }

    /// The text.
    pub(crate) fn text(&self) -> String {
        let mut out = String::with_capacity(self.list.iter().map(|f| f.samples.len() + 160).sum());
        for f in &self.list {
            let kind = match f.kind {
                Kind::Counter => "counter",
                Kind::Gauge => "gauge",
                Kind::Untyped => "untyped",
            };
            let _ = write!(out, "# HELP {} ", f.name);
            escape(&f.help, false, &mut out);
            let _ = write!(out, "\n# TYPE {} {kind}\n{}", f.name, f.samples);
        }
        out
    }
}

fn escape(text: &str, quotes: bool, out: &mut String) {
    for c in text.chars() {
        match c {
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '"' if quotes => out.push_str("\\\""),
            c => out.push(c),
        }
    }
}

/// A name that Prometheus takes: lower case, and nothing but letters, digits, `_`.
pub(crate) fn name_of(text: &str) -> String {
    text.chars().map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '_' }).collect()
}

#[cfg(test)]
mod tests {
    use super::{Families, Kind, name_of};

    #[test]
    fn families_stay_together() {
        let mut f = Families::default();
        let a = ("a_total", "Two\nlines \\ \"quoted\".", Kind::Counter);
        f.add(a, &[("x", "1\"\\\n")], 1.0);
        f.add(("b", "B.", Kind::Gauge), &[], 0.25);
        f.add(a, &[("x", "2"), ("y", "é")], 1e15);
        f.add(("s", "S.", Kind::Untyped), &[], f64::INFINITY);
        let wanted = "# HELP a_total Two\\nlines \\\\ \"quoted\".\n# TYPE a_total counter\na_total{x=\"1\\\"\\\\\\n\"} 1\n\
                      a_total{x=\"2\",y=\"é\"} 1000000000000000\n# HELP b B.\n# TYPE b gauge\nb 0.25\n\
                      # HELP s S.\n# TYPE s untyped\ns +Inf\n";
        assert_eq!(f.text(), wanted);
        assert_eq!(name_of("Ssl-Cipher.x"), "ssl_cipher_x");
    }
}
