//! The recipient's side of CLONE INSTANCE: logs in at the donor and takes the blocks of its backup.
//!
//! Without REQUIRE the connection is encrypted if the donor can. What the donor sends is verified by who takes it.
//! Tested: `tests/backup/test_backup.py`.

use crate::client::Client;
use crate::packets::Failed;
use crate::settings::Settings;
use base::{ErrorCode, SqlError, SqlResult};
use session::replica::{Donor, EachBlock};
use std::time::Duration;

/// How long the donor may be silent: it may be busy with a checkpoint.
const PATIENCE: Duration = Duration::from_secs(300);
/// The donor has no TLS.
const NO_TLS: u32 = 2026;

/// 3862.
fn refused(what: &str, e: &Failed) -> SqlError {
    let text = format!("{what}{} : {}", e.code, e.text.trim_end_matches('.'));
    SqlError::new(ErrorCode::CLONE_DONOR, &[&text])
}

/// See [`session::replica::Replication::donate`].
pub fn donate(d: &Donor, request: &[u8], each: &mut EachBlock<'_>) -> SqlResult<()> {
    let with = |ssl: bool| {
        let s = Settings {
            host: d.host.clone(),
            port: d.port,
            user: d.user.clone(),
            password: d.password.clone(),
            ssl,
            get_public_key: true,
            ..Settings::default()
        };
        Client::connect(&s, PATIENCE)
    };
    let connected = match d.ssl {
        Some(ssl) => with(ssl),
        None => match with(true) {
            Err(e) if e.code == NO_TLS => with(false),
            other => other,
        },
    };
    let mut client = connected.map_err(|e| refused("Connect failed: ", &e))?;
    let version = client.value("SELECT @@version_comment").map_err(|e| refused("", &e))?.unwrap_or_default();
    if !version.contains("Evenkeel") {
        let text = format!("the donor is no Evenkeel server ({version})");
        return Err(SqlError::new(ErrorCode::CLONE_DONOR, &[&text]));
    }
    client.clone_data(request).map_err(|e| refused("", &e))?;
    while let Some(block) = client.block().map_err(|e| refused("", &e))? {
        each(&block)?;
    }
    Ok(())
}
