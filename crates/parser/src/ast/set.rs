//! SET.
#![allow(missing_docs)] // see ast/mod.rs

use super::{Account, Expr, SysVarName, VarScope};
use crate::secrets::Hidden;

#[derive(Clone, Copy, Debug)]
pub enum SetItem<'a> {
    /// A system variable. A bare
    /// word as value (`SET sql_mode = ansi`, `= ON`) arrives as a string literal (ON, ALL, BINARY, ROW, SYSTEM) or as a
    /// column reference without a table whose name is the value.
    Var {
        scope: VarScope,
        name: SysVarName<'a>,
        value: SetValue<'a>,
    },
    /// A variable of the stored program that the statement is part of, or a column of its NEW.
    Local {
        slot: u32,
        value: SetValue<'a>,
    },
    UserVar {
        name: &'a str,
        value: Expr<'a>,
    },
    /// `charset` `None` = DEFAULT
    Names {
        charset: Option<&'a str>,
        collation: Option<&'a str>,
    },
    /// SET CHARACTER SET; `None` = DEFAULT
    CharacterSet(Option<&'a str>),
    Password {
        user: Option<Account<'a>>,
        /// `None` = TO RANDOM
        password: Option<Hidden<&'a [u8]>>,
        replace: Option<Hidden<&'a [u8]>>,
        retain_current: bool,
    },
}

#[derive(Clone, Copy, Debug)]
pub enum SetValue<'a> {
    Expr(Expr<'a>),
    Default,
}
