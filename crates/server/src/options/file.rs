//! Option files (`my.cnf`): groups, `name=value`, `#` and `;` comments, quotes and escapes, `!include`, `!includedir`.
//!
//! Source: MySQL 8.4 manual, "Using Option Files".

use super::Setting;
use std::io::ErrorKind;
use std::path::Path;

/// Groups the server reads.
const GROUPS: &[&str] = &["mysqld", "server", "evenkeel", "mysqld-8.4"];
/// Includes may not nest deeper: a file that includes itself is an error, not a hang.
const MAX_DEPTH: u32 = 10;

/// Reads a file's settings of our groups. A missing file is an error only if it was named.
pub fn read(path: &Path, must_exist: bool, out: &mut Vec<Setting>) -> Result<(), String> {
    read_nested(path, must_exist, out, 0)
}

fn read_nested(path: &Path, must_exist: bool, out: &mut Vec<Setting>, depth: u32) -> Result<(), String> {
    if depth > MAX_DEPTH {
        return Err(format!("option file '{}': !include nested too deeply", path.display()));
    }
    let bytes = match std::fs::read(path) {
        Ok(b) => b,
        Err(e) if e.kind() == ErrorKind::NotFound && !must_exist => return Ok(()),
        Err(e) => return Err(format!("cannot read option file '{}': {e}", path.display())),
    };
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
            include(path, rest, out, depth).map_err(|e| fail(&e))?;
            continue;
        }
        if let Some(rest) = line.strip_prefix('[') {
            let group = rest.split_once(']').ok_or_else(|| fail("']' is missing"))?.0.trim();
            ours = GROUPS.contains(&group);
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
        out.push(Setting { name: name.to_owned(), value, source });
    }
    Ok(())
}

fn include(path: &Path, rest: &str, out: &mut Vec<Setting>, depth: u32) -> Result<(), String> {
    let base = path.parent().unwrap_or(Path::new("."));
    if let Some(dir) = rest.strip_prefix("includedir").filter(|d| d.starts_with([' ', '\t'])) {
        let dir = base.join(dir.trim());
        let entries = std::fs::read_dir(&dir).map_err(|e| format!("!includedir '{}': {e}", dir.display()))?;
        let mut files: Vec<_> = entries.flatten().map(|e| e.path()).collect();
        files.retain(|p| p.extension().is_some_and(|x| x == "cnf"));
        files.sort();
        return files.iter().try_for_each(|f| read_nested(f, true, out, depth + 1));
    }
    if let Some(file) = rest.strip_prefix("include").filter(|d| d.starts_with([' ', '\t'])) {
        return read_nested(&base.join(file.trim()), true, out, depth + 1);
    }
    Err(format!("unknown directive '!{rest}'"))
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
