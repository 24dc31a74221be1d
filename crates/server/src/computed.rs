//! Defaults that follow from this machine and from other options: what a variable has that nobody has set, and what
//! `SET GLOBAL x = DEFAULT` gives ([`GlobalVars::settle`]).
//!
//! All else has the default that the table of variables says. Which variable `DEFAULT` changes on a server that was
//! just started is tested beside MySQL's answers: `tests/clients/test_variable_defaults.py`.

use crate::datadir::DataDir;
use catalog::sysvar::{GlobalVars, Raw, Var};

/// Names of files that follow from the host's, and character sets that follow from the server's. Before the logs are
/// opened.
pub fn names(dir: &DataDir, globals: &GlobalVars) {
    let text = |s: &str| Raw::Text(Some(s.into()));
    globals.store(Var::hostname, text(&sys::process::hostname()));
    let host = globals.string(Var::hostname);
    let default = |v: Var, suffix: &str| {
        let name = text(&dir.path.join(format!("{host}{suffix}")).to_string_lossy());
        globals.settle(v, name.clone());
        // an option without a name
        if globals.string(v).is_empty() {
            globals.store(v, name);
        }
    };
    default(Var::pid_file, ".pid");
    default(Var::general_log_file, ".log");
    default(Var::slow_query_log_file, "-slow.log");
    charsets(globals);
}

/// The server's character set is everybody's who does not say another, and what a default means from then on.
fn charsets(globals: &GlobalVars) {
    let (set, collation) = (globals.raw(Var::character_set_server), globals.raw(Var::collation_server));
    // the default of a set that has a collation beside it brings that along; not stored, they are what they are
    globals.set_default(Var::character_set_server, collation.clone());
    globals.set_default(Var::collation_server, collation.clone());
    // nothing can be read in some of them
    let client = value::CollationId(globals.num(Var::character_set_server) as u16).charset();
    if !client.is_wide() {
        globals.settle(Var::character_set_client, set.clone());
    }
    for (v, raw) in [
        (Var::character_set_results, &set),
        (Var::character_set_connection, &collation),
        (Var::collation_connection, &collation),
        (Var::character_set_database, &collation),
        (Var::collation_database, &collation),
    ] {
        globals.settle(v, raw.clone());
    }
}

/// Sizes that follow from others (manual, "Server System Variables"). After what others are is settled.
pub fn sizes(globals: &GlobalVars) {
    let (connections, tables) = (globals.num(Var::max_connections), globals.num(Var::table_open_cache));
    let settle = |v: Var, n: u64| globals.settle(v, Raw::Num(n));
    settle(Var::table_definition_cache, definitions(tables));
    settle(Var::thread_cache_size, threads(connections));
    settle(Var::host_cache_size, hosts(connections));
    settle(Var::report_port, globals.num(Var::port));
    settle(Var::innodb_io_capacity_max, globals.num(Var::innodb_io_capacity).saturating_mul(2));
}

fn definitions(tables: u64) -> u64 {
    (400 + tables / 2).min(2000)
}

fn threads(connections: u64) -> u64 {
    (8 + connections / 100).min(100)
}

fn hosts(connections: u64) -> u64 {
    let beyond = connections.saturating_sub(500) / 20;
    (128 + connections.min(500) + beyond).min(2000)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_the_manuals() {
        assert_eq!((definitions(4000), definitions(1000), definitions(400)), (2000, 900, 600));
        assert_eq!((threads(151), threads(500), threads(100_000)), (9, 13, 100));
        assert_eq!((hosts(151), hosts(500), hosts(1000), hosts(100_000)), (279, 628, 653, 2000));
        let g = GlobalVars::new();
        sizes(&g);
        let compiled = |v: Var| catalog::sysvar::set::default_of(v.def());
        for v in
            [Var::table_definition_cache, Var::thread_cache_size, Var::host_cache_size, Var::innodb_io_capacity_max]
        {
            assert_eq!(g.raw(v), compiled(v), "{}", v.name());
            assert_eq!(g.default_of(v).unwrap(), compiled(v));
        }
    }
}
