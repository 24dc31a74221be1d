//! An event of the error log as MySQL's `log_sink_json` writes it: one object a line, its members in the order of the
//! manual's example as
//! far as they are known here (there is no source file or function).

use super::{Event, symbols};
use std::fmt::Write;

/// The object's text.
pub(super) fn object(e: &Event<'_>, time: &str) -> String {
    let priority = match e.label {
        "System" => 0,
        "Error" => 1,
        "Warning" => 2,
        _ => 3,
    };
    let mut out = format!("{{ \"prio\" : {priority}, \"err_code\" : {}, \"subsystem\" : ", e.code);
    quoted(&mut out, e.subsystem);
    out.push_str(", \"msg\" : ");
    quoted(&mut out, e.text);
    let _ = write!(out, ", \"time\" : \"{time}\", \"ts\" : {}", e.wall_us / 1000);
    if e.thread != 0 {
        let _ = write!(out, ", \"thread\" : {}", e.thread);
    }
    let symbol = symbols::of(e.code);
    if !symbol.is_empty() {
        let _ = write!(out, ", \"err_symbol\" : \"{symbol}\", \"SQL_state\" : \"HY000\"");
    }
    let _ = write!(out, ", \"label\" : \"{}\" }}", e.label);
    out
}

fn quoted(out: &mut String, text: &str) {
    let mut b = Vec::new();
    value::json::print::quoted(text.as_bytes(), &mut b);
    out.push_str(&String::from_utf8_lossy(&b));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_special_is_escaped() {
        let e = Event {
            wall_us: 1_596_724_012_005_123,
            label: "Note",
            subsystem: "Server",
            thread: 5,
            code: 10_926,
            text: "a \"b\"\n\\",
        };
        assert_eq!(
            object(&e, "T"),
            "{ \"prio\" : 3, \"err_code\" : 10926, \"subsystem\" : \"Server\", \"msg\" : \"a \\\"b\\\"\\n\\\\\", \"time\" : \"T\", \
             \"ts\" : 1596724012005, \"thread\" : 5, \"err_symbol\" : \"ER_ACCESS_DENIED_ERROR_WITH_PASSWORD\", \
             \"SQL_state\" : \"HY000\", \"label\" : \"Note\" }"
        );
    }
}
