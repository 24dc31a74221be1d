//! HELP: what the server knows of itself (its variables with their meaning, its functions with their arguments), and for statements the page of MySQL's
//! manual, whose text is not ours to give. The topics are in [`views::help`], which mysql.help_* show too.
//!
//! The four forms of an answer are those of the manual, "HELP Statement": nothing found, one topic, several topics, a category. Reads tables in memory
//! only. Tested: `tests/clients/test_first_hour.py`.

use crate::kernel::session::Session;
use crate::results::columns;
use crate::results::outcome::Outcome;
use crate::results::table::Table;
use base::SqlResult;
use catalog::client::ResultSink;
use catalog::sysvar::Var;
use views::help::{CATEGORIES, Topic, function, of_category};

impl Session {
    /// HELP 'what'; `%` and `_` are those of LIKE.
    pub(crate) fn help(&mut self, what: &[u8], out: &mut dyn ResultSink) -> SqlResult<Outcome> {
        let what = String::from_utf8_lossy(what).trim().to_owned();
        let t = self.help_table(&what);
        t.send(self.env.vars.collation(Var::character_set_results), out)?;
        self.statement_succeeded()?;
        Ok(Outcome::rows())
    }

    fn help_table(&self, what: &str) -> Table {
        let mut listed = Table::new(columns::HELP_CATEGORY);
        if what.eq_ignore_ascii_case("contents") {
            for c in CATEGORIES {
                listed.push(vec!["Contents".into(), c.into(), "Y".into()]);
            }
            return listed;
        }
        if let Some(c) = CATEGORIES.iter().find(|c| c.eq_ignore_ascii_case(what)) {
            for topic in of_category(c) {
                listed.push(vec![(*c).into(), topic.name.into(), "N".into()]);
            }
            return listed;
        }
        let collation = value::CollationId::UTF8MB4_0900_AI_CI.get();
        let fits = |t: &Topic| collation.like(t.name.as_bytes(), what.as_bytes(), b"\\");
        let all = CATEGORIES.iter().flat_map(|c| of_category(c));
        let mut found: Vec<Topic> = all.filter(fits).collect();
        found.extend(function(what));
        found.dedup_by(|a, b| a.name.eq_ignore_ascii_case(&b.name));
        match found.pop() {
            Some(only) if found.is_empty() => {
                let mut t = Table::new(columns::HELP_TOPIC);
                t.push(vec![only.name.into(), only.text.into(), "".into()]);
                t
            }
            last => {
                let mut t = Table::new(columns::HELP_TOPICS);
                for topic in found.into_iter().chain(last) {
                    t.push(vec![topic.name.into(), "N".into()]);
                }
                t
            }
        }
    }
}
