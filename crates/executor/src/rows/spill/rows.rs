//! The present rows of some slots as bytes, and back.
//!
//! Per slot: `[state u8][key length u32 le][row length u32 le][key][row]`.

use crate::rows::slot::{RowState, Slot};

/// Appends the rows of some slots.
pub fn save(which: &[u16], slots: &[Slot], out: &mut Vec<u8>) {
    for s in which {
        let Some(s) = slots.get(*s as usize) else {
            out.extend_from_slice(&[0; 9]);
            continue;
        };
        let (key, row): (&[u8], &[u8]) = match s.state {
            RowState::Empty | RowState::Null => (&[], &[]),
            RowState::Table | RowState::Covered => (&s.key, &s.row),
            // a tuple made from a table's row has its key too
            RowState::Tuple if s.table.is_some() => (&s.key, &s.row),
            RowState::Tuple => (&[], &s.row),
        };
        out.push(match s.state {
            RowState::Empty => 0,
            RowState::Null => 1,
            RowState::Table => 2,
            RowState::Tuple => 3,
            RowState::Covered => 4,
        });
        out.extend_from_slice(&(key.len() as u32).to_le_bytes());
        out.extend_from_slice(&(row.len() as u32).to_le_bytes());
        out.extend_from_slice(key);
        out.extend_from_slice(row);
    }
}

/// Brings the rows of some slots back from what [`save`] appended; the bytes behind them.
pub fn restore<'b>(which: &[u16], bytes: &'b [u8], slots: &mut [Slot]) -> &'b [u8] {
    let mut left = bytes;
    for s in which {
        let Some((head, rest)) = left.split_first_chunk::<9>() else { return &[] };
        let [state, k0, k1, k2, k3, r0, r1, r2, r3] = *head;
        let (key, row) = (u32::from_le_bytes([k0, k1, k2, k3]) as usize, u32::from_le_bytes([r0, r1, r2, r3]) as usize);
        let Some((key, rest)) = rest.split_at_checked(key) else { return &[] };
        let Some((row, rest)) = rest.split_at_checked(row) else { return &[] };
        left = rest;
        if let Some(s) = slots.get_mut(*s as usize) {
            s.state = match state {
                0 => RowState::Empty,
                1 => RowState::Null,
                2 => RowState::Table,
                4 => RowState::Covered,
                _ => RowState::Tuple,
            };
            s.key.clear();
            s.key.extend_from_slice(key);
            s.row.clear();
            s.row.extend_from_slice(row);
        }
    }
    left
}
