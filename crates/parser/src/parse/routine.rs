//! Stored programs: recognised, their bodies skipped. What follows the body is the next statement.

use super::{PResult, Parser};
use crate::ast::Statement;
use crate::lexer::{Kw, Tk, Token};

impl<'a> Parser<'a, '_> {
    /// Takes everything up to the end of the statement; the rest of it is not checked.
    pub(super) fn unsupported(&mut self, feature: &'static str) -> PResult<Statement<'a>> {
        while !self.at_end() {
            if self.is(Tk::Bad) {
                return self.fail();
            }
            self.advance();
        }
        Ok(Statement::Unsupported { feature })
    }

    /// Skips the rest of CREATE PROCEDURE and its kind: blocks are counted, a `;` outside of all ends it.
    pub(super) fn stored_program(&mut self, feature: &'static str) -> PResult<Statement<'a>> {
        self.advance();
        let mut depth = 0usize;
        let mut previous = self.cur;
        loop {
            let t = self.cur;
            match t.kind {
                Tk::Eof if depth == 0 => break,
                Tk::Eof | Tk::Bad => return self.fail(),
                Tk::Semi if depth == 0 => break,
                Tk::Word => depth = self.block_depth(previous, depth)?,
                _ => {}
            }
            previous = self.cur;
            self.advance();
        }
        Ok(Statement::Unsupported { feature })
    }

    fn block_depth(&mut self, previous: Token, depth: usize) -> PResult<usize> {
        let starts = matches!(previous.kind, Tk::Semi | Tk::Colon | Tk::RParen)
            || matches!(
                previous.kw,
                Kw::BEGIN
                    | Kw::THEN
                    | Kw::ELSE
                    | Kw::DO
                    | Kw::LOOP
                    | Kw::REPEAT
                    | Kw::ROW
                    | Kw::DETERMINISTIC
                    | Kw::SQL
                    | Kw::DATA
            );
        let next = self.peek(1);
        Ok(match self.kw() {
            Kw::BEGIN if next.kw != Kw::WORK && !matches!(previous.kw, Kw::XA) => depth + 1,
            Kw::CASE | Kw::LOOP | Kw::WHILE => depth + 1,
            Kw::IF if next.kind == Tk::LParen => depth + usize::from(starts),
            Kw::IF => {
                let clause = matches!(next.kw, Kw::EXISTS) && self.peek(2).kind != Tk::LParen
                    || next.kw == Kw::NOT && self.peek(2).kw == Kw::EXISTS && self.peek(3).kind != Tk::LParen;
                depth + usize::from(!clause)
            }
            Kw::REPEAT => depth + usize::from(next.kind != Tk::LParen || starts),
            Kw::END if depth > 0 => {
                if matches!(next.kw, Kw::IF | Kw::CASE | Kw::LOOP | Kw::REPEAT | Kw::WHILE) {
                    self.advance();
                }
                depth - 1
            }
            _ => depth,
        })
    }
}
