//! Buffers for commands and answers: a thread's, lent to the connection that it serves.
//!
//! A connection needs one while a command is being read and one until its answer has left; between commands it has none. So a thread that serves a thousand
//! connections in turn writes to a few buffers that stay in its caches, and connections that wait take no memory for them. What has grown beyond [`MOST_BYTES`]
//! stays with its connection, which probably needs as much again, unless it is much more than that (`super::KEEP`).
//!
//! A buffer may come back on another thread than the one it was taken from. No locks. Tested below and by everything that speaks the protocol.

use std::cell::RefCell;

/// First size of a buffer.
pub(super) const START: usize = probe::held::LENT;
/// Larger ones are not taken back.
const MOST_BYTES: usize = 32 * 1024;
/// So many of each kind are kept: answers that leave together hold one each.
const MOST: usize = 64;

#[derive(Default)]
struct Free {
    /// Full of bytes of no meaning, to be read into; [`START`] bytes each.
    input: Vec<Vec<u8>>,
    /// Empty.
    output: Vec<Vec<u8>>,
}

thread_local! {
    static FREE: RefCell<Free> = RefCell::default();
}

/// A buffer to read into: [`START`] bytes.
pub(super) fn input() -> Vec<u8> {
    FREE.with_borrow_mut(|f| f.input.pop()).unwrap_or_else(|| vec![0; START])
}

/// An empty buffer to write into.
pub(super) fn output() -> Vec<u8> {
    FREE.with_borrow_mut(|f| f.output.pop()).unwrap_or_else(|| Vec::with_capacity(START))
}

/// Takes a buffer back that was read into; the caller keeps what is of no use.
pub(super) fn give_input(buf: Vec<u8>) -> Option<Vec<u8>> {
    if buf.len() != START {
        return Some(buf);
    }
    // a connection that ends with its thread has nobody to give it to
    let _ = FREE.try_with(|f| keep(&mut f.borrow_mut().input, buf));
    None
}

/// Takes a buffer back that was written into; the caller keeps what is of no use, empty.
pub(super) fn give_output(mut buf: Vec<u8>) -> Option<Vec<u8>> {
    buf.clear();
    if !(START..=MOST_BYTES).contains(&buf.capacity()) {
        return Some(buf);
    }
    let _ = FREE.try_with(|f| keep(&mut f.borrow_mut().output, buf));
    None
}

fn keep(free: &mut Vec<Vec<u8>>, buf: Vec<u8>) {
    if free.len() < MOST {
        free.push(buf);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_given_back_last_is_lent_first() {
        let (mut a, b) = (output(), output());
        a.extend_from_slice(b"answer");
        let at = a.as_ptr();
        assert!(give_output(b).is_none() && give_output(a).is_none());
        let again = output();
        assert_eq!((again.as_ptr(), again.len()), (at, 0));
        assert!(give_output(Vec::with_capacity(MOST_BYTES + 1)).is_some(), "too large");
        let mut i = input();
        assert_eq!(i.len(), START);
        i.push(1);
        assert!(give_input(i).is_some(), "it has grown");
        (0..2 * MOST).for_each(|_| assert!(give_input(vec![0; START]).is_none()));
        assert_eq!(FREE.with_borrow(|f| f.input.len()), MOST);
    }
}
