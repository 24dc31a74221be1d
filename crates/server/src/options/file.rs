//! Option files (`my.cnf`): groups, `name=value`, `#` and `;` comments, quotes and escapes, `!include`, `!includedir`.
//!
//! Source: MySQL 8.4 manual, "Using Option Files".

use super::{COMMAND_LINE, Setting};
use catalog::sysvar::Origin;
use std::io::ErrorKind;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

/// Groups the server reads.
const GROUPS: &[&str] = &["mysqld", "server", "evenkeel", "mysqld-8.4"];
/// Includes may not nest deeper: a file that includes itself is an error, not a hang.
const MAX_DEPTH: u32 = 10;

/// Where a setting comes from, as variables_info says it: a file without the number of the line.
pub(super) fn origin(source: &str) -> Origin {
    let source = source.rsplit_once(':').map_or(source, |(file, _)| file);
    let kind = match source {
        COMMAND_LINE => return Origin { source: "COMMAND_LINE", ..Origin::default() },
        file if file.starts_with("/etc/") => "GLOBAL",
        file if file.ends_with("/.my.cnf") => "USER",
        _ => "EXPLICIT",
    };
    Origin { source: kind, path: source.to_owned(), ..Origin::default() }
}

/// Reads files into settings.
pub struct Reader<'a> {
    /// Groups with this suffix are read, too.
    pub suffix: Option<&'a str>,
    /// What was found.
    pub out: &'a mut Vec<Setting>,
    /// Warnings for the log.
    pub warnings: &'a mut Vec<String>,
}

impl Reader<'_> {
    /// Reads a file's settings of our groups. A missing file is an error only if it was named.
    pub fn read(&mut self, path: &Path, must_exist: bool) -> Result<(), String> {
        self.nested(path, must_exist, 0)
    }

    fn nested(&mut self, path: &Path, must_exist: bool, depth: u32) -> Result<(), String> {
        if depth > MAX_DEPTH {
            return Err(format!("option file '{}': !include nested too deeply", path.display()));
        }
        let bytes = match std::fs::read(path) {
            Ok(b) => b,
            Err(e) if e.kind() == ErrorKind::NotFound && !must_exist => return Ok(()),
            Err(e) => return Err(format!("cannot read option file '{}': {e}", path.display())),
        };
        if std::fs::metadata(path).is_ok_and(|m| m.is_file() && m.permissions().mode() & 0o002 != 0) {
            // anybody could have written it
            self.warnings.push(format!("World-writable config file '{}' is ignored.", path.display()));
            return Ok(());
        }
        let text = String::from_utf8_lossy(&bytes);
        let mut ours = false;
        let mut in_group = false;
        for (n, line) in text.lines().enumerate() {
            let line = line.trim();
            let fail = |what: &str| format!("option file '{}', line {}: {what}", path.display(), n + 1);
            if line.is_empty() || line.starts_with(['#', ';']) {
                continue;
            }
            if let Some(rest) = line.strip_prefix('!') {
                self.include(path, rest, depth).map_err(|e| fail(&e))?;
                continue;
            }
            if let Some(rest) = line.strip_prefix('[') {
                let group = rest.split_once(']').ok_or_else(|| fail("']' is missing"))?.0.trim();
                ours = self.is_ours(group);
                in_group = true;
                continue;
            }
            if !in_group {
                return Err(fail("option without a preceding group"));
            }
            if !ours {
                continue;
            }
            let (name, value) = match line.split_once('=') {
                Some((name, value)) => (name.trim(), Some(unquote(value))),
                None => (strip_comment(line), None),
            };
            let source = format!("{}:{}", path.display(), n + 1);
            self.out.push(Setting { name: name.to_owned(), value, source });
        }
        Ok(())
    }

    fn is_ours(&self, group: &str) -> bool {
        let with_suffix = self.suffix.filter(|s| !s.is_empty()).and_then(|s| group.strip_suffix(s));
        GROUPS.contains(&group) || with_suffix.is_some_and(|g| GROUPS.contains(&g))
    }

    fn include(&mut self, path: &Path, rest: &str, depth: u32) -> Result<(), String> {
        let base = path.parent().unwrap_or(Path::new("."));
        if let Some(dir) = rest.strip_prefix("includedir").filter(|d| d.starts_with([' ', '\t'])) {
            let dir = base.join(dir.trim());
            let entries = std::fs::read_dir(&dir).map_err(|e| format!("!includedir '{}': {e}", dir.display()))?;
            let mut files: Vec<_> = entries.flatten().map(|e| e.path()).collect();
            files.retain(|p| p.extension().is_some_and(|x| x == "cnf"));
            files.sort();
            return files.iter().try_for_each(|f| self.nested(f, true, depth + 1));
        }
        if let Some(file) = rest.strip_prefix("include").filter(|d| d.starts_with([' ', '\t'])) {
            return self.nested(&base.join(file.trim()), true, depth + 1);
        }
        Err(format!("unknown directive '!{rest}'"))
    }
}

/// Everything before a `#` that follows white space.
fn strip_comment(s: &str) -> &str {
    let at = s.char_indices().zip(s.chars().skip(1)).find(|((_, a), b)| a.is_whitespace() && *b == '#');
    at.map_or(s, |((i, _), _)| s.get(..i).unwrap_or(s)).trim()
}

/// Value with quotes removed and escapes (`\b \t \n \r \\ \s \" \'`) resolved.
fn unquote(s: &str) -> String {
    let s = s.trim();
    let quoted = s.chars().next().filter(|q| *q == '"' || *q == '\'').and_then(|q| {
        let inner = s.get(1..)?;
        let mut escaped = false;
        let end = inner.char_indices().find(|(_, c)| {
            let hit = *c == q && !escaped;
            escaped = *c == '\\' && !escaped;
            hit
        })?;
        inner.get(..end.0)
    });
    let s = quoted.unwrap_or_else(|| strip_comment(s));
    let mut out = String::with_capacity(s.len());
    let mut chars = s.chars();
    while let Some(c) = chars.next() {
        if c != '\\' {
            out.push(c);
            continue;
        }
        match chars.next() {
            Some('b') => out.push('\u{8}'),
            Some('t') => out.push('\t'),
            Some('n') => out.push('\n'),
            Some('r') => out.push('\r'),
            Some('s') => out.push(' '),
            Some(c @ ('\\' | '"' | '\'')) => out.push(c),
            Some(c) => {
                out.push('\\');
                out.push(c);
            }
            None => out.push('\\'),
        }
    }
    out
}
