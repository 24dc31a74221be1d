//! `--performance-schema-instrument`, `--performance-schema-consumer-...`: what is recorded from the start.
//! Tested: `tests/clients/test_setup_tables.py`.

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
