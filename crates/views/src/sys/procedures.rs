//! The procedures of `sys`: programs, written for this project after MySQL's manual ("sys Schema Stored Procedures").
//!
//! A text begins with what the procedure does with data and its COMMENT, each line behind `-- `; its parameters follow,
//! one in a line, and its body, which begins with a line BEGIN. They run with the rights of who calls them. Tested:
//! `tests/clients/test_sys_procedures.py`.

use super::routines::parameter;
use storage::dict::{DataAccess, ProgramDefinition, ProgramKind};

macro_rules! texts {
    ($($name:literal)*) => {
        /// Name and text of each.
        const TEXTS: &[(&str, &str)] = &[$(($name, include_str!(concat!("procedures/", $name, ".sql")))),*];
    };
}

texts! {
    "create_synonym_db"
    "diagnostics"
    "execute_prepared_stmt"
    "ps_setup_disable_background_threads"
    "ps_setup_disable_consumer"
    "ps_setup_disable_instrument"
    "ps_setup_disable_thread"
    "ps_setup_enable_background_threads"
    "ps_setup_enable_consumer"
    "ps_setup_enable_instrument"
    "ps_setup_enable_thread"
    "ps_setup_reload_saved"
    "ps_setup_reset_to_default"
    "ps_setup_save"
    "ps_setup_show_disabled"
    "ps_setup_show_disabled_consumers"
    "ps_setup_show_disabled_instruments"
    "ps_setup_show_enabled"
    "ps_setup_show_enabled_consumers"
    "ps_setup_show_enabled_instruments"
    "ps_statement_avg_latency_histogram"
    "ps_trace_statement_digest"
    "ps_trace_thread"
    "ps_truncate_all_tables"
    "statement_performance_analyzer"
    "table_exists"
}

/// All procedures.
pub(super) fn procedures() -> impl Iterator<Item = ProgramDefinition> {
    TEXTS.iter().map(|(name, text)| {
        let mut p = ProgramDefinition::new(ProgramKind::Procedure, super::SYS, name);
        let begin = text.find("\nBEGIN\n").map_or(0, |n| n + 1);
        let (head, body) = text.split_at_checked(begin).unwrap_or(("", text));
        let (comments, params): (Vec<&str>, Vec<&str>) = head.lines().partition(|l| l.starts_with("-- "));
        let mut comments = comments.iter().map(|l| l.trim_start_matches("-- "));
        p.access = match comments.next() {
            Some("MODIFIES SQL DATA") => DataAccess::ModifiesSqlData,
            _ => DataAccess::ReadsSqlData,
        };
        p.comment = comments.collect::<Vec<_>>().join("\n");
        p.parameters = params.iter().filter_map(|l| parameter(l)).collect();
        if !params.is_empty() {
            p.params = format!("\n{}\n", params.join("\n")).into_bytes();
        }
        p.body = body.trim_end().as_bytes().to_vec();
        p
    })
}
