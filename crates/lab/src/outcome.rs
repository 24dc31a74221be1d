//! What was found: a JSON file that is written anew after each measurement, by way of a second file, so that it is
//! whole whenever the lab is stopped. Everything that reports show comes from here.
//!
//! A measurement has a [`Key`]; a run that goes on leaves out those that are there and did not fail.

use crate::client::Answer;
use crate::{Result, failed};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::path::Path;

/// File in the folder of a run.
pub(crate) const FILE: &str = "result.json";
/// Version of the file's form.
const FORM: u64 = 1;

/// Which measurement it is.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Key {
    pub(crate) experiment: String,
    pub(crate) server: String,
    /// What was set: "64", "50 %", "slow disk, innodb_old_blocks_time=0".
    pub(crate) point: String,
    pub(crate) round: u32,
}

/// One measurement.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Measured {
    pub(crate) key: Key,
    pub(crate) values: BTreeMap<String, f64>,
    /// Values second by second.
    pub(crate) lines: BTreeMap<String, Vec<f64>>,
    /// Why there are none.
    pub(crate) error: Option<String>,
}

/// A query that shows the cause, with what the server answered.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Told {
    pub(crate) experiment: String,
    pub(crate) server: String,
    pub(crate) point: String,
    /// What it shows.
    pub(crate) title: String,
    pub(crate) sql: String,
    pub(crate) answer: std::result::Result<Answer, String>,
}

/// What was not measured.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct LeftOut {
    pub(crate) experiment: String,
    pub(crate) what: String,
    pub(crate) why: String,
}

/// Everything.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Outcome {
    /// Version of the program that measured.
    pub(crate) program: String,
    /// Arguments, without passwords.
    pub(crate) written: Vec<String>,
    pub(crate) quick: bool,
    pub(crate) finished: bool,
    /// Wall clock at the start, seconds since 1970.
    pub(crate) began: u64,
    /// Seconds that it has taken.
    pub(crate) seconds: f64,
    /// The machine: name and value.
    pub(crate) machine: Vec<(String, String)>,
    /// Servers in the order of reports, with their versions.
    pub(crate) servers: Vec<(String, String)>,
    pub(crate) measured: Vec<Measured>,
    pub(crate) told: Vec<Told>,
    pub(crate) left_out: Vec<LeftOut>,
}

impl Outcome {
    /// Whether a measurement is there, and good.
    pub(crate) fn has(&self, key: &Key) -> bool {
        self.measured.iter().any(|m| m.key == *key && m.error.is_none())
    }

    /// Takes a measurement in, in place of one of the same key.
    pub(crate) fn add(&mut self, m: Measured) {
        self.measured.retain(|old| old.key != m.key);
        self.measured.push(m);
    }

    /// Takes an answer in, in place of an older one to the same question.
    pub(crate) fn tell(&mut self, t: Told) {
        let same =
            |o: &Told| (&o.experiment, &o.server, &o.point, &o.title) == (&t.experiment, &t.server, &t.point, &t.title);
        self.told.retain(|old| !same(old));
        self.told.push(t);
    }

    pub(crate) fn leave_out(&mut self, experiment: &str, what: &str, why: &str) {
        let l = LeftOut { experiment: experiment.into(), what: what.into(), why: why.into() };
        if !self.left_out.contains(&l) {
            self.left_out.push(l);
        }
    }

    pub(crate) fn server(&mut self, name: &str, version: &str) {
        match self.servers.iter_mut().find(|s| s.0 == name) {
            Some(s) => version.clone_into(&mut s.1),
            None => self.servers.push((name.into(), version.into())),
        }
    }

    /// The values of one name of all rounds, in their order.
    pub(crate) fn values(&self, experiment: &str, server: &str, point: &str, name: &str) -> Vec<f64> {
        let mut found: Vec<(u32, f64)> = self
            .measured
            .iter()
            .filter(|m| {
                (m.key.experiment.as_str(), m.key.server.as_str(), m.key.point.as_str()) == (experiment, server, point)
            })
            .filter_map(|m| Some((m.key.round, *m.values.get(name)?)))
            .collect();
        found.sort_by_key(|f| f.0);
        found.into_iter().map(|f| f.1).collect()
    }

    /// Servers that have measurements of an experiment, in the order of reports; then those of other names (variants).
    pub(crate) fn servers_of(&self, experiment: &str) -> Vec<String> {
        let mut out: Vec<String> = Vec::new();
        let all = self.servers.iter().map(|s| &s.0).chain(self.measured.iter().map(|m| &m.key.server));
        for name in all {
            let has = self.measured.iter().any(|m| m.key.experiment == experiment && m.key.server == *name);
            if has && !out.contains(name) {
                out.push(name.clone());
            }
        }
        out
    }

    /// Writes the file.
    pub(crate) fn save(&self, folder: &Path) -> Result<()> {
        let text = serde_json::to_string_pretty(&self.json()).unwrap_or_default();
        let (new, file) = (folder.join(format!("{FILE}.new")), folder.join(FILE));
        std::fs::write(&new, text + "\n").or_else(|e| failed(format!("{}: {e}", new.display())))?;
        std::fs::rename(&new, &file).or_else(|e| failed(format!("{}: {e}", file.display())))
    }

    /// Reads the file.
    pub(crate) fn load(folder: &Path) -> Result<Outcome> {
        let file = folder.join(FILE);
        let text = std::fs::read_to_string(&file).or_else(|e| failed(format!("{}: {e}", file.display())))?;
        let value: Value = serde_json::from_str(&text).or_else(|e| failed(format!("{}: {e}", file.display())))?;
        match Outcome::of_json(&value) {
            Some(o) => Ok(o),
            None => failed(format!("{} is no result of this version of the lab", file.display())),
        }
    }

    fn json(&self) -> Value {
        let measured = self.measured.iter().map(|m| {
            json!({ "experiment": m.key.experiment, "server": m.key.server, "point": m.key.point, "round": m.key.round,
                    "values": m.values, "lines": m.lines, "error": m.error })
        });
        let told = self.told.iter().map(|t| {
            let answer = match &t.answer {
                Ok(a) => json!({ "columns": a.columns, "rows": a.rows }),
                Err(e) => json!({ "error": e }),
            };
            json!({ "experiment": t.experiment, "server": t.server, "point": t.point, "title": t.title, "sql": t.sql,
                    "answer": answer })
        });
        let left_out =
            self.left_out.iter().map(|l| json!({ "experiment": l.experiment, "what": l.what, "why": l.why }));
        json!({
            "evenkeel_lab": FORM,
            "program": self.program,
            "arguments": self.written,
            "quick": self.quick,
            "finished": self.finished,
            "began": self.began,
            "seconds": self.seconds,
            "machine": self.machine,
            "servers": self.servers,
            "measured": measured.collect::<Vec<_>>(),
            "told": told.collect::<Vec<_>>(),
            "left_out": left_out.collect::<Vec<_>>(),
        })
    }

    fn of_json(v: &Value) -> Option<Outcome> {
        (v.get("evenkeel_lab")?.as_u64()? == FORM).then_some(())?;
        Some(Outcome {
            program: text(v, "program")?,
            written: texts(v.get("arguments")?)?,
            quick: v.get("quick")?.as_bool()?,
            finished: v.get("finished")?.as_bool()?,
            began: v.get("began")?.as_u64()?,
            seconds: v.get("seconds")?.as_f64()?,
            machine: pairs(v.get("machine")?)?,
            servers: pairs(v.get("servers")?)?,
            measured: v.get("measured")?.as_array()?.iter().map(measured).collect::<Option<_>>()?,
            told: v.get("told")?.as_array()?.iter().map(told).collect::<Option<_>>()?,
            left_out: v.get("left_out")?.as_array()?.iter().map(left_out).collect::<Option<_>>()?,
        })
    }
}

/// The arguments of the run whose folder it is.
pub(crate) fn written(folder: &Path) -> Result<Vec<String>> {
    Outcome::load(folder).map(|o| o.written)
}

fn text(v: &Value, name: &str) -> Option<String> {
    v.get(name)?.as_str().map(str::to_owned)
}

fn texts(v: &Value) -> Option<Vec<String>> {
    v.as_array()?.iter().map(|t| t.as_str().map(str::to_owned)).collect()
}

fn pairs(v: &Value) -> Option<Vec<(String, String)>> {
    let pair = |p: &Value| Some((p.get(0)?.as_str()?.to_owned(), p.get(1)?.as_str()?.to_owned()));
    v.as_array()?.iter().map(pair).collect()
}

fn map<T>(v: &Value, one: impl Fn(&Value) -> Option<T>) -> Option<BTreeMap<String, T>> {
    let fields: &Map<String, Value> = v.as_object()?;
    fields.iter().map(|(k, v)| Some((k.clone(), one(v)?))).collect()
}

/// What is no finite number is `null` in JSON.
fn number(v: &Value) -> Option<f64> {
    if v.is_null() { Some(f64::NAN) } else { v.as_f64() }
}

fn measured(v: &Value) -> Option<Measured> {
    let key = Key {
        experiment: text(v, "experiment")?,
        server: text(v, "server")?,
        point: text(v, "point")?,
        round: u32::try_from(v.get("round")?.as_u64()?).ok()?,
    };
    let line = |v: &Value| v.as_array()?.iter().map(number).collect();
    Some(Measured {
        key,
        values: map(v.get("values")?, number)?,
        lines: map(v.get("lines")?, line)?,
        error: text(v, "error"),
    })
}

fn told(v: &Value) -> Option<Told> {
    let answer = v.get("answer")?;
    let answer = match text(answer, "error") {
        Some(e) => Err(e),
        None => {
            let row = |r: &Value| Some(r.as_array()?.iter().map(|c| c.as_str().map(str::to_owned)).collect());
            Ok(Answer {
                columns: texts(answer.get("columns")?)?,
                rows: answer.get("rows")?.as_array()?.iter().map(row).collect::<Option<_>>()?,
            })
        }
    };
    Some(Told {
        experiment: text(v, "experiment")?,
        server: text(v, "server")?,
        point: text(v, "point")?,
        title: text(v, "title")?,
        sql: text(v, "sql")?,
        answer,
    })
}

fn left_out(v: &Value) -> Option<LeftOut> {
    Some(LeftOut { experiment: text(v, "experiment")?, what: text(v, "what")?, why: text(v, "why")? })
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::program::Folder;

    pub(crate) fn key(server: &str, point: &str, round: u32) -> Key {
        Key { experiment: "connections".into(), server: server.into(), point: point.into(), round }
    }

    pub(crate) fn good(key: Key, values: &[(&str, f64)]) -> Measured {
        let values = values.iter().map(|(n, v)| ((*n).to_owned(), *v)).collect();
        Measured { key, values, lines: BTreeMap::new(), error: None }
    }

    #[test]
    fn the_file_holds_everything() {
        let folder = Folder::new(&std::env::temp_dir()).unwrap();
        let mut o = Outcome { program: "1".into(), quick: true, began: 7, seconds: 1.5, ..Outcome::default() };
        o.written = vec!["all".into(), "--quick".into()];
        o.machine = vec![("CPUs".into(), "2".into())];
        o.server("evenkeel", "8.4");
        o.add(good(key("evenkeel", "8", 1), &[("qps", 12.5)]));
        let mut with_lines = good(key("evenkeel", "8", 2), &[]);
        with_lines.lines.insert("tps".into(), vec![1.0, 2.0]);
        with_lines.error = Some("sysbench <ended>".into());
        o.add(with_lines);
        let answer = Answer { columns: vec!["a".into()], rows: vec![vec![None], vec![Some("x\ty".into())]] };
        for (title, answer) in [("good", Ok(answer)), ("bad", Err("1146".to_owned()))] {
            let (experiment, server, point) = ("connections".into(), "evenkeel".into(), "8".into());
            o.tell(Told { experiment, server, point, title: title.into(), sql: "SELECT 1".into(), answer });
        }
        o.leave_out("quota", "everything", "no root");
        o.leave_out("quota", "everything", "no root");
        o.save(folder.path()).unwrap();
        assert_eq!(Outcome::load(folder.path()).unwrap(), o);
        assert_eq!(o.left_out.len(), 1);
        assert_eq!(written(folder.path()).unwrap(), ["all", "--quick"]);
        std::fs::write(folder.path().join(FILE), "{}").unwrap();
        assert!(Outcome::load(folder.path()).is_err());
    }

    #[test]
    fn what_failed_is_measured_again_and_replaced() {
        let mut o = Outcome::default();
        let k = key("a", "1", 1);
        o.add(Measured { error: Some("no".into()), ..good(k.clone(), &[]) });
        assert!(!o.has(&k));
        o.add(good(k.clone(), &[("qps", 1.0)]));
        o.add(good(key("a", "1", 3), &[("qps", 3.0)]));
        o.add(good(key("a", "1", 2), &[("qps", 2.0)]));
        assert!(o.has(&k) && o.measured.len() == 3);
        assert_eq!(o.values("connections", "a", "1", "qps"), [1.0, 2.0, 3.0]);
        assert!(o.values("connections", "b", "1", "qps").is_empty());
        assert_eq!(o.servers_of("connections"), ["a"]);
    }
}
