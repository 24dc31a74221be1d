//! SHOW PROFILES: which of a session's statements are kept ([`probe::profile`]). Tested:
//! `tests/clients/test_profile.py`.

use crate::logs::SessionLog;
use catalog::sysvar::Var;
use executor::Env;
use probe::Counter;

/// Bytes of a statement that are kept.
const PROFILED_TEXT: usize = 300;

impl SessionLog {
    /// The statement's profile is kept where `profiling` is still on and it is none of SHOW PROFILE and SHOW PROFILES.
    #[cold]
    pub(super) fn end_profile(&mut self, env: &Env, sql: &[u8]) {
        self.profiled = false;
        let about_profiles = matches!(self.instrument.kind, Some(Counter::ComShowProfile | Counter::ComShowProfiles));
        let most = usize::try_from(env.vars.num(Var::profiling_history_size)).unwrap_or(0);
        let keep = env.vars.bool(Var::profiling) && !about_profiles && most > 0;
        let text = keep.then(|| {
            let text = crate::text::showable(env, crate::text::trimmed(sql));
            let text = text.bytes();
            text.get(..PROFILED_TEXT).unwrap_or(text).to_vec()
        });
        env.client.connection.activity.recorder.end_profile(text, most);
    }
}
