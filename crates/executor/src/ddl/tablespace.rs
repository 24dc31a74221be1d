//! TABLESPACE and COMPRESSION of CREATE and ALTER TABLE: every table has a file of its own, and its pages are not compressed.
//!
//! There are no general tablespaces, so a name that is none of MySQL's own is unknown (3510). Page compression punches holes into the files, which is
//! not done here: its algorithms answer as InnoDB does on a file system that cannot (4029), and 'none' is kept and shown. Tested by
//! tests/sql/golden/ddl.sql.

use base::{ErrorCode, SqlError, SqlResult};
use parser::ast::TableOption;

use super::DdlContext;

/// Whose options they are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Statement {
    /// CREATE TABLE.
    Create,
    /// CREATE TEMPORARY TABLE.
    CreateTemporary,
    /// ALTER TABLE.
    Alter,
}

/// The checks of both options.
pub(super) fn check(
    ctx: &mut DdlContext<'_>,
    list: &[TableOption<'_>],
    (schema, table): (&str, &str),
    statement: Statement,
) -> SqlResult<()> {
    for o in list {
        match o {
            // a dump of MySQL's own tables says where they were there
            TableOption::Tablespace("mysql") if schema == "mysql" && statement == Statement::Create => {}
            TableOption::Tablespace(name) => tablespace(ctx, name, table, statement)?,
            TableOption::Compression(b) => compression(ctx, b, table, statement)?,
            _ => {}
        }
    }
    Ok(())
}

fn tablespace(ctx: &mut DdlContext<'_>, name: &str, table: &str, statement: Statement) -> SqlResult<()> {
    let temporary = statement == Statement::CreateTemporary;
    let illegal = |m: &str| SqlError::with_message(ErrorCode::ILLEGAL_HA_CREATE_OPTION, m);
    match name {
        "" => Err(SqlError::new(ErrorCode::WRONG_TABLESPACE_NAME, &[&name])),
        _ if name.contains('/') => {
            let said = "InnoDB: A general tablespace name cannot contain '/'.";
            ctx.warned(SqlError::with_message(ErrorCode::WRONG_TABLESPACE_NAME, said));
            Err(SqlError::new(ErrorCode::WRONG_TABLESPACE_NAME, &[&name]))
        }
        "innodb_file_per_table" if !temporary => Ok(()),
        "innodb_file_per_table" | "innodb_system" => Err(SqlError::unsupported("TABLESPACE")),
        "mysql" => Err(SqlError::new(ErrorCode::RESERVED_TABLESPACE_NAME, &[&table, &name])),
        "innodb_temporary" if temporary => {
            ctx.warned(illegal(
                "InnoDB: TABLESPACE=innodb_temporary option is ignored. All temporary tables are created in a session temporary tablespace. \
                 This option is deprecated and will be removed in a future release.",
            ));
            Ok(())
        }
        "innodb_temporary" => Err(illegal("InnoDB: Tablespace `innodb_temporary` can only contain TEMPORARY tables.")),
        _ if temporary => {
            let said = format!("InnoDB: A general tablespace named `{name}` cannot be found.");
            Err(SqlError::with_message(ErrorCode::TABLESPACE_MISSING, said))
        }
        _ => Err(SqlError::new(ErrorCode::TABLESPACE_MISSING_WITH_NAME, &[&name])),
    }
}

fn compression(ctx: &mut DdlContext<'_>, b: &[u8], table: &str, statement: Statement) -> SqlResult<()> {
    let refused = || match statement {
        Statement::Alter => SqlError::new(ErrorCode::ILLEGAL_HA_CREATE_OPTION, &[&"InnoDB", &"COMPRESSION"]),
        _ => SqlError::new(ErrorCode::ILLEGAL_HA, &[&table]),
    };
    if b.is_empty() || b.eq_ignore_ascii_case(b"none") {
        return Ok(());
    }
    if !b.eq_ignore_ascii_case(b"zlib") && !b.eq_ignore_ascii_case(b"lz4") {
        let said = format!("InnoDB: Unsupported compression algorithm '{}'", ctx.text(b));
        ctx.warned(SqlError::with_message(ErrorCode::UNSUPPORTED_EXTENSION, said));
        return Err(refused());
    }
    if statement == Statement::CreateTemporary {
        return Err(refused());
    }
    let why = "Punch hole not supported by the filesystem or the tablespace page size is not large enough.";
    Err(SqlError::new(ErrorCode::INNODB_COMPRESSION_FAILURE, &[&why]))
}
