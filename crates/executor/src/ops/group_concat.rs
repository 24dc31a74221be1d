//! GROUP_CONCAT: the text of a group, at most `group_concat_max_len` bytes of it.
//!
//! Without ORDER BY nothing is kept beyond that length. With it the pieces are kept with their sort keys; when they have become twice what can be
//! shown they are sorted, and those behind the end of what is shown are dropped: rows that come later can only push more of them out.

use base::{ErrorCode, SqlError, SqlResult};
use bumpalo::Bump;
use catalog::sysvar::Var;
use planner::expr::AggCall;
use value::Value;

use crate::eval::Cx;
use crate::eval::{eval, text_of};
use crate::rows::keys;

/// What is kept beside the longest text, before pieces are dropped.
const SLACK: usize = 64 << 10;
/// Bytes that a piece costs beside its own.
const PIECE: usize = 64;

/// State of a group.
#[derive(Default)]
pub(super) struct ConcatAcc {
    /// Sort keys and pieces, with ORDER BY; bytes that they take.
    parts: Vec<(Vec<u8>, Vec<u8>)>,
    size: usize,
    /// Bytes after the last dropping.
    shrunk: usize,
    text: Vec<u8>,
    /// Rows that went into the text, the one that was cut too.
    rows: u64,
    any: bool,
    cut: bool,
    /// Bytes accounted for.
    kept: usize,
}

impl ConcatAcc {
    /// Adds a row; bytes newly kept.
    pub(super) fn add(&mut self, a: &AggCall, values: &[Value<'_>], cx: &mut Cx<'_>, arena: &Bump) -> SqlResult<usize> {
        let max = usize::try_from(cx.env.vars.num(Var::group_concat_max_len)).unwrap_or(usize::MAX);
        if self.cut && a.order.is_empty() {
            return Ok(0);
        }
        let mut piece = Vec::new();
        for (v, e) in values.iter().zip(a.args.iter()) {
            // what is behind the longest text is never shown: one byte of it says that something was cut
            let room = max.saturating_add(1).saturating_sub(piece.len());
            let text = text_of(*v, &e.ty, arena).unwrap_or(&[]);
            piece.extend_from_slice(text.get(..room).unwrap_or(text));
        }
        if a.order.is_empty() {
            if self.any {
                self.text.extend_from_slice(&a.separator);
            }
            self.text.extend_from_slice(&piece);
            self.cut = self.text.len() > max;
            self.rows += 1;
            self.size = self.text.len();
        } else {
            let mut key = Vec::new();
            for (o, desc) in a.order.iter() {
                let v = eval(o, cx, arena)?;
                keys::put(v, &o.ty, *desc, &mut key);
            }
            self.size += key.len() + piece.len() + PIECE;
            self.parts.push((key, piece));
            if self.size / 2 > max.saturating_add(SLACK).max(self.shrunk) {
                self.shrink(a, max);
            }
        }
        self.any = true;
        let more = self.size.saturating_sub(self.kept);
        self.kept += more;
        cx.keep(more)?;
        Ok(more)
    }

    /// Drops the pieces that cannot be shown.
    fn shrink(&mut self, a: &AggCall, max: usize) {
        self.parts.sort_by(|x, y| x.0.cmp(&y.0));
        let (mut shown, mut n) = (0usize, 0);
        self.size = 0;
        for (k, p) in &self.parts {
            if shown > max {
                break;
            }
            shown += p.len() + a.separator.len();
            self.size += k.len() + p.len() + PIECE;
            n += 1;
        }
        // one more, so that a separator at the very end is known to be cut
        if let Some((k, p)) = self.parts.get(n) {
            self.size += k.len() + p.len() + PIECE;
        }
        self.parts.truncate(n + 1);
        self.shrunk = self.size;
    }

    /// The text; NULL without rows. Warning 1260 when it was cut.
    pub(super) fn finish<'a>(&mut self, a: &AggCall, cx: &mut Cx<'_>, arena: &'a Bump) -> Value<'a> {
        if !self.any {
            return Value::Null;
        }
        let max = cx.env.vars.num(Var::group_concat_max_len) as usize;
        let text = &mut self.text;
        if !a.order.is_empty() {
            self.parts.sort_by(|x, y| x.0.cmp(&y.0));
            for (i, p) in self.parts.iter().enumerate() {
                if i > 0 {
                    text.extend_from_slice(&a.separator);
                }
                text.extend_from_slice(&p.1);
                self.rows += 1;
                if text.len() > max {
                    break;
                }
            }
            self.parts.clear();
        }
        let row = passed(a, self.rows, cx);
        if text.len() > max {
            let n = a.ty.charset().valid_prefix(text.get(..max).unwrap_or(text));
            text.truncate(if a.ty.is_character() { n } else { max });
            let message = format!("Row {row} was cut by GROUP_CONCAT()");
            let e = SqlError::with_message(ErrorCode::CUT_VALUE_GROUP_CONCAT, message);
            cx.env.conv.push(value::Level::Warning, e);
        }
        Value::Str(arena.alloc_slice_copy(text))
    }
}

/// The number of a group's last row when its rows come behind those of the groups before: what warning 1260 names.
fn passed(a: &AggCall, rows: u64, cx: &mut Cx<'_>) -> u64 {
    let key = std::ptr::from_ref(a).addr();
    if let Some((_, before)) = cx.concatenated.iter_mut().find(|(k, _)| *k == key) {
        *before += rows;
        return *before;
    }
    cx.concatenated.push((key, rows));
    rows
}
