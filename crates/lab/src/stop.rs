//! Ctrl-C and its kin: a thread waits for the signal, everybody else looks at [`Stop`] where it waits.

use crate::{Result, Trouble};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use sys::signal::{Signal, Signals};

/// How often somebody has asked the lab to stop.
#[derive(Clone, Default)]
pub(crate) struct Stop(Arc<AtomicU32>);

impl Stop {
    /// Blocks the signals and starts the thread that receives them. Before there are other threads.
    pub(crate) fn listen() -> Result<Stop> {
        let signals = Signals::block()?;
        let stop = Stop::default();
        let told = stop.clone();
        std::thread::Builder::new().name("lab-signals".into()).spawn(move || {
            loop {
                match signals.wait(None) {
                    Some(Signal::User1) | None => {}
                    Some(_) => {
                        told.0.fetch_add(1, Ordering::Relaxed);
                    }
                }
            }
        })?;
        Ok(stop)
    }

    /// [`Trouble::Stopped`] once somebody asked for it.
    pub(crate) fn check(&self) -> Result<()> {
        if self.times() == 0 { Ok(()) } else { Err(Trouble::Stopped) }
    }

    /// Asked so often; from the second time on nothing is waited for any more.
    pub(crate) fn times(&self) -> u32 {
        self.0.load(Ordering::Relaxed)
    }

    #[cfg(test)]
    pub(crate) fn ask(&self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }
}
