//! Accounts, roles, privileges.
#![allow(missing_docs)] // see ast/mod.rs

use super::{Span, TableName};
use crate::secrets::Hidden;

/// `user@host`, or CURRENT_USER.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Account<'a> {
    /// Host "%" when not written; host is lower-cased by the catalog.
    Name {
        user: &'a str,
        host: Option<&'a str>,
    },
    CurrentUser,
}

#[derive(Clone, Copy, Debug)]
pub struct CreateUser<'a> {
    pub if_not_exists: bool,
    pub users: &'a [UserSpec<'a>],
    pub default_roles: &'a [Account<'a>],
    pub options: UserOptions<'a>,
}

#[derive(Clone, Copy, Debug)]
pub struct AlterUser<'a> {
    pub if_exists: bool,
    pub users: &'a [UserSpec<'a>],
    pub default_roles: Option<SetRole<'a>>,
    pub options: UserOptions<'a>,
}

#[derive(Clone, Copy, Debug)]
pub struct UserSpec<'a> {
    /// From the account to the end of what is said of it alone.
    pub span: Span,
    pub account: Account<'a>,
    pub auth: Option<Auth<'a>>,
    /// Second and third factor, registration and the like were written: answer unsupported.
    pub multi_factor: bool,
    pub discard_old_password: bool,
}

#[derive(Clone, Copy, Debug)]
pub struct Auth<'a> {
    pub plugin: Option<&'a str>,
    pub secret: Secret<'a>,
    /// REPLACE 'current'
    pub replace: Option<Hidden<&'a [u8]>>,
    pub retain_current: bool,
}

#[derive(Clone, Copy, Debug)]
pub enum Secret<'a> {
    None,
    /// BY 'clear text'
    Password(Hidden<&'a [u8]>),
    RandomPassword,
    /// AS 'hash'
    Hash(Hidden<&'a [u8]>),
}

/// What was written; `None`/empty = not mentioned.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct UserOptions<'a> {
    pub require: Option<Require<'a>>,
    pub max_queries_per_hour: Option<u64>,
    pub max_updates_per_hour: Option<u64>,
    pub max_connections_per_hour: Option<u64>,
    pub max_user_connections: Option<u64>,
    pub password_expire: Option<PasswordExpire>,
    /// Some(None) = DEFAULT, for the four that follow.
    pub password_history: Option<Option<u64>>,
    pub password_reuse_days: Option<Option<u64>>,
    pub password_require_current: Option<RequireCurrent>,
    pub failed_login_attempts: Option<u64>,
    /// Some(None) = UNBOUNDED
    pub password_lock_time: Option<Option<u64>>,
    pub locked: Option<bool>,
    pub comment: Option<&'a [u8]>,
    pub attribute: Option<&'a [u8]>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Require<'a> {
    None,
    Ssl,
    X509,
    Attributes { subject: Option<&'a [u8]>, issuer: Option<&'a [u8]>, cipher: Option<&'a [u8]> },
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PasswordExpire {
    Now,
    Default,
    Never,
    Days(u64),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RequireCurrent {
    Default,
    Required,
    Optional,
}

#[derive(Clone, Copy, Debug)]
pub struct Grant<'a> {
    pub what: GrantWhat<'a>,
    pub to: &'a [Account<'a>],
    /// WITH GRANT OPTION / WITH ADMIN OPTION
    pub with_option: bool,
    /// `AS user [WITH ROLE ..]` was written
    pub as_user: Option<(Account<'a>, Option<SetRole<'a>>)>,
}

#[derive(Clone, Copy, Debug)]
pub struct Revoke<'a> {
    pub if_exists: bool,
    pub ignore_unknown_user: bool,
    pub what: GrantWhat<'a>,
    pub from: &'a [Account<'a>],
}

#[derive(Clone, Copy, Debug)]
pub enum GrantWhat<'a> {
    /// GRANT OPTION appears as the privilege "grant option".
    Privileges {
        privileges: &'a [Privilege<'a>],
        object: ObjectKind,
        level: PrivLevel<'a>,
    },
    Roles(&'a [Account<'a>]),
    Proxy(Account<'a>),
    /// REVOKE ALL PRIVILEGES, GRANT OPTION FROM ..
    AllAndGrantOption,
}

#[derive(Clone, Copy, Debug)]
pub struct Privilege<'a> {
    /// Lower case, words separated by one space ("create temporary tables", "all", dynamic names too).
    pub name: &'a str,
    pub columns: &'a [&'a str],
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ObjectKind {
    Table,
    Function,
    Procedure,
}

#[derive(Clone, Copy, Debug)]
pub enum PrivLevel<'a> {
    /// `*.*`
    Global,
    /// `db.*`
    Database(&'a str),
    /// `*`
    CurrentDatabase,
    /// `t`, `db.t`
    Table(TableName<'a>),
}

#[derive(Clone, Copy, Debug)]
pub enum SetRole<'a> {
    Default,
    None,
    All,
    AllExcept(&'a [Account<'a>]),
    Roles(&'a [Account<'a>]),
}
