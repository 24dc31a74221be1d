//! `--performance-schema-instrument`, `--performance-schema-consumer-...`: what is recorded from the start.
//! And that the build without instruments cannot. Tested: `tests.rs`, `tests/clients/test_setup_tables.py`.

use catalog::sysvar::{GlobalVars, Raw, Var};
use probe::instruments::{self, Consumer};

/// The options as given, in their order.
#[derive(Clone, Default, Debug)]
pub struct Recorded {
    instruments: Vec<String>,
    consumers: Vec<(Consumer, bool)>,
}

/// What an option of another name, or with another value, is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wrong {
    /// Not one of these options.
    Another,
    /// Neither ON, OFF nor COUNTED: told and ignored, as in MySQL.
    Value,
    /// There is no such consumer.
    Consumer,
}

/// The build without instruments records nothing unless it is asked to.
pub(super) fn defaults(globals: &GlobalVars) {
    if !instruments::BUILT {
        globals.settle(Var::performance_schema, Raw::Num(0));
    }
}

/// Why a build refuses a setting: nothing would be recorded where somebody asks for it.
pub(super) fn is_not_built(v: Var, raw: &Raw, instruments: bool) -> Option<&'static str> {
    let asks = v == Var::performance_schema && *raw == Raw::Num(1);
    (asks && !instruments).then_some(
        "this evenkeel is built without instruments (feature 'without-instruments'): performance_schema can only be OFF",
    )
}

impl Recorded {
    /// Takes an option: its name with dashes, its value, and whether that is on.
    pub fn take(&mut self, name: &str, value: Option<&str>, on: bool) -> Result<(), Wrong> {
        if name == "performance-schema-instrument" {
            let text = value.unwrap_or_default();
            if !instruments::is_setting(text) {
                return Err(Wrong::Value);
            }
            self.instruments.push(text.to_owned());
            return Ok(());
        }
        let consumer = name.strip_prefix("performance-schema-consumer-").ok_or(Wrong::Another)?;
        let consumer = Consumer::named(&consumer.replace('-', "_")).ok_or(Wrong::Consumer)?;
        self.consumers.push((consumer, on));
        Ok(())
    }

    /// Switches what was asked for.
    pub fn apply(&self) {
        latch::name_instruments();
        for text in &self.instruments {
            instruments::set_by_option(text);
        }
        for (consumer, on) in &self.consumers {
            let bit = consumer.bit();
            instruments::switch_consumers(bit, if *on { bit } else { 0 });
        }
    }
}
