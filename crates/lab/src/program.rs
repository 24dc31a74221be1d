//! Installed programs that the lab runs: found in PATH, their output kept in files, ended with their owner.

use crate::stop::Stop;
use crate::{Result, failed};
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// How often a wait looks around.
const LOOK: Duration = Duration::from_millis(10);

/// The first of these programs that PATH, or the folders of servers, have.
pub(crate) fn find(names: &[&str]) -> Option<PathBuf> {
    let path = std::env::var("PATH").unwrap_or_default();
    let folders: Vec<&str> = path.split(':').chain(["/usr/sbin", "/usr/local/sbin", "/usr/libexec"]).collect();
    names.iter().find_map(|n| folders.iter().map(|f| Path::new(f).join(n)).find(|p| p.is_file()))
}

/// A folder that goes with its owner.
pub(crate) struct Folder(PathBuf);

impl Folder {
    /// A new one in `parent`. Others may pass through it (a server runs as a user of its own), not look into it.
    pub(crate) fn new(parent: &Path) -> Result<Folder> {
        use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
        let path = parent.join(format!("ek-lab-{:08x}", sys::process::random_u64() as u32));
        std::fs::DirBuilder::new().mode(0o711).create(&path).or_else(|e| failed(format!("{}: {e}", path.display())))?;
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o711))?;
        Ok(Folder(path))
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        if let Err(e) = std::fs::remove_dir_all(&self.0) {
            eprintln!("evenkeel lab: {} could not be removed: {e}", self.0.display());
        }
    }
}

/// A program that runs.
pub(crate) struct Running {
    child: Child,
    output: PathBuf,
    what: String,
    began: Instant,
    ended: bool,
}

impl Running {
    /// Starts it; what it prints goes to a file in `folder` (`quiet`: to nowhere, apart from its complaints).
    pub(crate) fn start(mut command: Command, what: &str, folder: &Path, quiet: bool) -> Result<Running> {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        let output = folder.join(format!("{}-{what}.out", NUMBER.fetch_add(1, Ordering::Relaxed)));
        let file = File::create(&output)?;
        let errors = file.try_clone()?;
        let out = if quiet { Stdio::null() } else { Stdio::from(file) };
        command.stdin(Stdio::null()).stdout(out).stderr(errors);
        let child = match sys::child::own(&mut command).spawn() {
            Ok(c) => c,
            Err(e) => {
                let _ = std::fs::remove_file(&output);
                return failed(format!("{}: {e}", command.get_program().to_string_lossy()));
            }
        };
        Ok(Running { child, output, what: what.to_owned(), began: Instant::now(), ended: false })
    }

    pub(crate) fn pid(&self) -> u32 {
        self.child.id()
    }

    /// How it ended, if it has.
    pub(crate) fn ended(&mut self) -> Result<Option<ExitStatus>> {
        let status = self.child.try_wait()?;
        self.ended |= status.is_some();
        Ok(status)
    }

    /// Since its start.
    pub(crate) fn runs_for(&self) -> Duration {
        self.began.elapsed()
    }

    /// What it has printed so far.
    pub(crate) fn printed(&self) -> String {
        std::fs::read(&self.output).map(|b| String::from_utf8_lossy(&b).into_owned()).unwrap_or_default()
    }

    /// The end of what it has printed, for a message.
    pub(crate) fn tail(&self) -> String {
        let text = self.printed();
        let lines: Vec<&str> = text.lines().filter(|l| !l.trim().is_empty()).collect();
        lines.get(lines.len().saturating_sub(8)..).unwrap_or_default().join("\n")
    }

    /// Waits until it has ended well; what it printed. `meanwhile` is called all the time.
    pub(crate) fn wait(
        &mut self,
        stop: &Stop,
        longest: Duration,
        meanwhile: &mut dyn FnMut(Duration) -> Result<()>,
    ) -> Result<String> {
        loop {
            if let Some(status) = self.ended()? {
                let printed = self.printed();
                if !status.success() {
                    return failed(format!("{} ended with {status}:\n{}", self.what, self.tail()));
                }
                return Ok(printed);
            }
            stop.check()?;
            if self.runs_for() > longest {
                return failed(format!("{} did not end within {} s:\n{}", self.what, longest.as_secs(), self.tail()));
            }
            meanwhile(self.runs_for())?;
            std::thread::sleep(LOOK);
        }
    }

    /// Asks it to end and waits for that; after `patience`, or when somebody asked twice, it is killed.
    pub(crate) fn end(&mut self, stop: &Stop, patience: Duration) {
        if self.ended {
            return;
        }
        let _ = sys::child::terminate(self.child.id());
        let began = Instant::now();
        while began.elapsed() < patience && stop.times() < 2 {
            if !matches!(self.child.try_wait(), Ok(None)) {
                self.ended = true;
                return;
            }
            std::thread::sleep(LOOK);
        }
        self.kill();
    }

    fn kill(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        self.ended = true;
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if !self.ended {
            self.kill();
        }
        let _ = std::fs::remove_file(&self.output);
    }
}

/// Runs a program to its end; what it printed.
pub(crate) fn run(command: Command, what: &str, folder: &Path, stop: &Stop, longest: Duration) -> Result<String> {
    Running::start(command, what, folder, false)?.wait(stop, longest, &mut |_| Ok(()))
}

/// Processor seconds that a process has used, its ended threads included.
pub(crate) fn cpu_seconds(pid: u32) -> Option<f64> {
    // both in ticks of 10 ms, which Linux promises to programs
    let text = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    let mut fields = text.rsplit_once(')')?.1.split_ascii_whitespace().skip(11);
    let (user, system): (f64, f64) = (fields.next()?.parse().ok()?, fields.next()?.parse().ok()?);
    Some((user + system) / 100.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Trouble;

    fn shell(text: &str) -> Command {
        let mut c = Command::new("sh");
        c.args(["-c", text]);
        c
    }

    #[test]
    fn programs_end_well_badly_or_not_at_all() {
        let parent = std::env::temp_dir();
        let folder = Folder::new(&parent).unwrap();
        let stop = Stop::default();
        let long = Duration::from_secs(60);
        assert_eq!(run(shell("echo yes"), "a", folder.path(), &stop, long), Ok("yes\n".into()));
        let bad = run(shell("echo why >&2; exit 3"), "b", folder.path(), &stop, long);
        assert!(matches!(&bad, Err(Trouble::Failed(t)) if t.contains("why") && t.contains('3')), "{bad:?}");
        assert!(matches!(run(shell("sleep 100"), "c", folder.path(), &stop, Duration::ZERO), Err(Trouble::Failed(_))));
        assert!(run(Command::new("/nothing/here"), "d", folder.path(), &stop, long).is_err());
        // nothing is left behind
        let mut r = Running::start(shell("sleep 100"), "e", folder.path(), false).unwrap();
        let pid = r.pid();
        stop.ask();
        assert_eq!(r.wait(&stop, long, &mut |_| Ok(())), Err(Trouble::Stopped));
        drop(r);
        assert!(!Path::new(&format!("/proc/{pid}")).exists());
        let path = folder.path().to_owned();
        assert_eq!(std::fs::read_dir(&path).unwrap().count(), 0);
        drop(folder);
        assert!(!path.exists());
    }

    #[test]
    fn processor_time_of_a_process() {
        assert!(cpu_seconds(std::process::id()).is_some() && cpu_seconds(0).is_none());
        assert!(find(&["nothing-of-that-name", "sh"]).is_some());
    }
}
