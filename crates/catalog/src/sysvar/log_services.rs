//! What `log_error_services` names: the parts that an event of the error log goes through, in this order (manual,
//! "Error Log Configuration").
//!
//! MySQL loads its JSON sink as a component when it is named; here it is built in, as the other two are there. What
//! does not exist
//! (`log_sink_syseventlog`, `log_filter_dragnet`) cannot be named.

/// A part of the error log.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LogService {
    /// `log_filter_internal`: `log_error_verbosity` and `log_error_suppression_list`.
    Filter,
    /// `log_sink_internal`: lines of text.
    Internal,
    /// `log_sink_json`: an object a line.
    Json,
}

/// The parts of a value, separated by `;` or `,`, each at most once; `Err`: what is wrong about it, from there on.
pub fn log_services(text: &str) -> Result<Vec<LogService>, String> {
    let mut all = Vec::new();
    let separator = |c| c == ';' || c == ',';
    if text.contains(';') && text.contains(',') {
        // MySQL takes one of the two
        let at = text.find(',').unwrap_or(0).max(text.find(';').unwrap_or(0));
        return Err(text.get(at + 1..).unwrap_or("").trim().to_owned());
    }
    for name in text.split(separator).map(str::trim).filter(|n| !n.is_empty()) {
        let service = match name {
            "log_filter_internal" => LogService::Filter,
            "log_sink_internal" => LogService::Internal,
            "log_sink_json" => LogService::Json,
            _ => return Err(name.to_owned()),
        };
        if all.contains(&service) {
            return Err(name.to_owned());
        }
        all.push(service);
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists() {
        use LogService::{Filter, Internal, Json};
        assert_eq!(log_services("log_filter_internal; log_sink_internal"), Ok(vec![Filter, Internal]));
        assert_eq!(log_services("log_sink_json,log_filter_internal"), Ok(vec![Json, Filter]));
        assert_eq!(log_services(" ; "), Ok(vec![]));
        assert_eq!(log_services("log_sink_syseventlog"), Err("log_sink_syseventlog".into()));
        assert_eq!(log_services("log_sink_json;log_sink_json"), Err("log_sink_json".into()));
        assert_eq!(log_services("log_sink_internal;log_filter_internal, log_sink_json"), Err("log_sink_json".into()));
    }
}
