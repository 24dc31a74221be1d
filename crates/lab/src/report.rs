//! What a run found, for people: tables for a terminal, and one HTML page that holds everything and asks for nothing
//! from elsewhere. Experiments say what is shown ([`Section`]); how it looks is said here and in the files below.

mod html;
mod svg;
mod terminal;

pub(crate) use html::html;
pub(crate) use terminal::terminal;

/// What is shown of one experiment.
#[derive(Clone, Debug, Default)]
pub(crate) struct Section {
    pub(crate) experiment: String,
    pub(crate) title: String,
    pub(crate) text: String,
    pub(crate) charts: Vec<Chart>,
    pub(crate) tables: Vec<Table>,
}

/// A table of texts; the first column names the row.
#[derive(Clone, Debug, Default)]
pub(crate) struct Table {
    pub(crate) title: String,
    pub(crate) head: Vec<String>,
    pub(crate) rows: Vec<Vec<String>>,
}

impl Table {
    pub(crate) fn new(title: &str, head: &[&str]) -> Table {
        Table { title: title.into(), head: head.iter().map(|h| (*h).to_owned()).collect(), rows: Vec::new() }
    }
}

/// A line of a chart: its name, and points by ascending x. A point that is not a number interrupts it.
#[derive(Clone, Debug)]
pub(crate) struct Line {
    pub(crate) name: String,
    pub(crate) points: Vec<(f64, f64)>,
    /// Of an article, not measured here.
    pub(crate) quoted: bool,
}

impl Line {
    pub(crate) fn of(name: &str, points: Vec<(f64, f64)>) -> Line {
        Line { name: name.into(), points, quoted: false }
    }

    pub(crate) fn quoted(name: &str, points: Vec<(f64, f64)>) -> Line {
        Line { name: name.into(), points, quoted: true }
    }

    pub(crate) fn in_percent_of_its_peak(mut self) -> Line {
        let peak = self.points.iter().map(|p| p.1).fold(0.0, f64::max);
        if peak > 0.0 {
            self.points.iter_mut().for_each(|p| p.1 *= 100.0 / peak);
        }
        self
    }
}

/// What a chart shows.
#[derive(Clone, Debug)]
pub(crate) enum Form {
    Lines(Vec<Line>),
    /// Groups along x, and of each name a value a group.
    Bars {
        groups: Vec<String>,
        bars: Vec<(String, Vec<Option<f64>>)>,
    },
}

/// A chart.
#[derive(Clone, Debug)]
pub(crate) struct Chart {
    pub(crate) title: String,
    /// What runs along x.
    pub(crate) x: String,
    pub(crate) unit: String,
    pub(crate) form: Form,
    /// Along x each step doubles.
    pub(crate) doubles: bool,
    /// Along y each step is the tenfold.
    pub(crate) grows: bool,
    /// A stretch of x with a name.
    pub(crate) shade: Option<(f64, f64, String)>,
}

impl Chart {
    pub(crate) fn lines(title: &str, x: &str, unit: &str, lines: Vec<Line>) -> Chart {
        Chart::new(title, x, unit, Form::Lines(lines))
    }

    pub(crate) fn bars(title: &str, x: &str, unit: &str, groups: Vec<String>) -> Chart {
        Chart::new(title, x, unit, Form::Bars { groups, bars: Vec::new() })
    }

    fn new(title: &str, x: &str, unit: &str, form: Form) -> Chart {
        let (title, x, unit) = (title.into(), x.into(), unit.into());
        Chart { title, x, unit, form, doubles: false, grows: false, shade: None }
    }

    pub(crate) fn doubling(self) -> Chart {
        Chart { doubles: true, ..self }
    }

    pub(crate) fn growing(self) -> Chart {
        Chart { grows: true, ..self }
    }

    pub(crate) fn bar(mut self, name: &str, values: Vec<Option<f64>>) -> Chart {
        if let Form::Bars { bars, .. } = &mut self.form {
            bars.push((name.into(), values));
        }
        self
    }

    /// Names of what it shows, in order, and whether they are quoted.
    fn names(&self) -> Vec<(&str, bool)> {
        match &self.form {
            Form::Lines(l) => l.iter().filter(|l| !l.points.is_empty()).map(|l| (l.name.as_str(), l.quoted)).collect(),
            Form::Bars { bars, .. } => bars.iter().map(|b| (b.0.as_str(), false)).collect(),
        }
    }
}

/// A text inside HTML.
fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::client::Answer;
    use crate::outcome::tests::{good, key};
    use crate::outcome::{Outcome, Told};

    fn outcome() -> Outcome {
        let mut o = Outcome { program: "8.4.0-evenkeel-0.1".into(), quick: true, ..Outcome::default() };
        o.server("evenkeel", "8.4");
        o.server("a<b>", "1 & 2");
        for (server, factor) in [("evenkeel", 2.0), ("a<b>", 1.0)] {
            for (threads, qps) in [("1", 1000.0), ("64", 9000.0), ("1024", 4000.0)] {
                o.add(good(key(server, threads, 1), &[("qps", qps * factor), ("p99", 3.0), ("cpu_us", 5.5)]));
            }
        }
        let answer = Answer {
            columns: vec!["x".into()],
            rows: vec![vec![Some("<script>alert(1)</script>".into())], vec![None]],
        };
        o.tell(Told {
            experiment: "connections".into(),
            server: "a<b>".into(),
            point: "1024".into(),
            title: "why".into(),
            sql: "SELECT '<i>'".into(),
            answer: Ok(answer),
        });
        o.leave_out("connections", "mysql", "there is <none>");
        o
    }

    fn sections(o: &Outcome) -> Vec<Section> {
        crate::experiments::section(crate::args::Which::Connections, o).into_iter().collect()
    }

    #[test]
    fn the_page_is_whole_and_all_texts_are_texts() {
        let o = outcome();
        let page = html(&o, &sections(&o));
        assert!(page.starts_with("<!doctype html>") && page.ends_with("</html>\n"));
        // nothing from elsewhere, no script, nothing of a server's text as markup
        assert!(
            !page.contains("http://")
                && !page.contains("https://")
                && !page.contains("<script")
                && !page.contains("a<b>")
        );
        assert!(
            page.contains("a&lt;b&gt;")
                && page.contains("&lt;script&gt;alert(1)")
                && page.contains("there is &lt;none&gt;")
        );
        assert!(page.contains("SELECT '&lt;i&gt;'") && page.contains("quick"));
        // each of the four charts for wide and for narrow windows
        assert_eq!(page.matches("<svg ").count(), 8);
        assert!(page.contains("18,000") && page.contains("the article: Percona Server"));
        for tag in ["svg", "section", "table", "details", "figure", "tr", "td", "g"] {
            let open = page.matches(&format!("<{tag}>")).count() + page.matches(&format!("<{tag} ")).count();
            assert_eq!(open, page.matches(&format!("</{tag}>")).count(), "{tag}");
        }
        assert!(!page.contains("NaN") && !page.contains("inf"));
    }

    #[test]
    fn an_outcome_without_anything_has_a_page_too() {
        let mut o = Outcome::default();
        assert!(html(&o, &[]).contains("not finished"));
        o.leave_out("connections", "everything", "no sysbench");
        let page = html(&o, &sections(&o));
        assert!(page.contains("no sysbench") && !page.contains("NaN"));
        assert!(terminal(&o, &sections(&o)).contains("no sysbench"));
    }

    #[test]
    fn the_terminal_shows_the_same_figures() {
        let o = outcome();
        let text = terminal(&o, &sections(&o));
        for part in ["connections", "18,000", "5.50", "there is <none>", "QUICK"] {
            assert!(text.contains(part), "{part}: {text}");
        }
    }

    #[test]
    fn shares_of_a_peak() {
        let l = Line::of("a", vec![(1.0, 5.0), (2.0, 20.0)]).in_percent_of_its_peak();
        assert_eq!(l.points, [(1.0, 25.0), (2.0, 100.0)]);
    }
}
