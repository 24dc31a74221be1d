//! Programs that this one starts (`evenkeel lab`: other servers, sysbench) and must be able to stop.
//!
//! A child gets a process group of its own, so that Ctrl-C at the terminal reaches its parent alone, which stops it in
//! order. It starts with no signal blocked or ignored, and dies with the *thread* that started it: so nothing is left
//! behind where the parent is killed, and only a thread that lasts may start one.

#![allow(unsafe_code)]

use std::io;
use std::os::unix::process::CommandExt;
use std::process::Command;

/// Makes `command` start a child as this module says.
pub fn own(command: &mut Command) -> &mut Command {
    let change = || {
        // SAFETY: between fork and exec only calls that are async-signal-safe, on plain data and valid numbers.
        unsafe {
            let mut none: libc::sigset_t = std::mem::zeroed();
            libc::sigemptyset(&mut none);
            libc::sigprocmask(libc::SIG_SETMASK, &none, std::ptr::null_mut());
            for n in (1..=31).filter(|n| *n != libc::SIGKILL && *n != libc::SIGSTOP) {
                libc::signal(n, libc::SIG_DFL);
            }
            libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
        }
        Ok(())
    };
    command.process_group(0);
    // SAFETY: `change` takes no lock and allocates nothing.
    unsafe { command.pre_exec(change) }
}

/// Asks a process to end (SIGTERM).
///
/// # Errors
/// There is none, or it is somebody else's.
pub fn terminate(pid: u32) -> io::Result<()> {
    let pid = libc::pid_t::try_from(pid).ok().filter(|p| *p > 1).ok_or(io::ErrorKind::InvalidInput)?;
    // SAFETY: takes numbers; the pid is one process, neither a group nor everybody.
    super::check(unsafe { libc::kill(pid, libc::SIGTERM) }).map(|_| ())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::process::ExitStatusExt;

    #[test]
    fn a_child_can_be_stopped_though_its_parent_blocks_signals() {
        std::thread::spawn(|| {
            let _blocked = crate::signal::Signals::block().unwrap();
            let mut child = own(Command::new("sleep").arg("1000")).spawn().unwrap();
            let group = std::fs::read_to_string(format!("/proc/{}/stat", child.id())).unwrap();
            let group: u32 = group.rsplit_once(") ").unwrap().1.split(' ').nth(2).unwrap().parse().unwrap();
            assert_eq!(group, child.id());
            terminate(child.id()).unwrap();
            assert_eq!(child.wait().unwrap().signal(), Some(libc::SIGTERM));
            assert!(terminate(1).is_err() && terminate(0).is_err());
        })
        .join()
        .unwrap();
    }
}
