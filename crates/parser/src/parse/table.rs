//! CREATE TABLE, table options, DROP, TRUNCATE, RENAME.

use super::{Fail, PResult, Parser};
use crate::ast::{CreateTable, DropTable, OnDuplicate, Statement, TableOption};
use crate::lexer::{Kw, Tk};
use base::ErrorCode;

impl<'a> Parser<'a, '_> {
    /// `[IF NOT EXISTS]`
    pub(super) fn if_not_exists(&mut self) -> PResult<bool> {
        if !self.is_kw(Kw::IF) {
            return Ok(false);
        }
        self.advance();
        self.expect_kws(&[Kw::NOT, Kw::EXISTS])?;
        Ok(true)
    }

    /// `[IF EXISTS]`
    pub(super) fn if_exists(&mut self) -> PResult<bool> {
        if !self.is_kw(Kw::IF) {
            return Ok(false);
        }
        self.advance();
        self.expect_kw(Kw::EXISTS)?;
        Ok(true)
    }

    /// After CREATE [TEMPORARY] TABLE.
    pub(super) fn create_table(&mut self, temporary: bool) -> PResult<Statement<'a>> {
        let if_not_exists = self.if_not_exists()?;
        let table = self.table_name()?;
        let mut c = CreateTable {
            temporary,
            if_not_exists,
            table,
            like: None,
            elements: &[],
            options: &[],
            partition: None,
            on_duplicate: OnDuplicate::Error,
            select: None,
        };
        if self.accept_kw(Kw::LIKE) {
            c.like = Some(self.table_name()?);
            return Ok(Statement::CreateTable(self.alloc(c)));
        }
        if self.is(Tk::LParen) && !self.starts_query_in_paren(0) {
            self.advance();
            if self.accept_kw(Kw::LIKE) {
                c.like = Some(self.table_name()?);
                self.expect(Tk::RParen)?;
                return Ok(Statement::CreateTable(self.alloc(c)));
            }
            c.elements = self.comma_list(|p| p.table_element())?;
            self.expect(Tk::RParen)?;
        }
        c.options = self.table_options()?;
        if self.is_kw(Kw::PARTITION) {
            c.partition = Some(self.partition_by()?);
        }
        if self.accept_kw(Kw::IGNORE) {
            c.on_duplicate = OnDuplicate::Ignore;
        } else if self.accept_kw(Kw::REPLACE) {
            c.on_duplicate = OnDuplicate::Replace;
        }
        let as_written = self.accept_kw(Kw::AS);
        if as_written
            || c.on_duplicate != OnDuplicate::Error
            || (!self.at_end() && !self.is(Tk::RParen) && !self.is_kw(Kw::START))
        {
            c.select = Some(self.query_statement()?);
            self.no_trailing_into()?;
        }
        Ok(Statement::CreateTable(self.alloc(c)))
    }

    pub(super) fn table_options(&mut self) -> PResult<&'a [TableOption<'a>]> {
        let mut out = self.list();
        while let Some(o) = self.table_option()? {
            out.push(o);
            self.accept(Tk::Comma);
        }
        Ok(out.into_bump_slice())
    }

    /// Value of an option that may be DEFAULT.
    fn number_or_default(&mut self) -> PResult<Option<u64>> {
        if self.accept_kw(Kw::DEFAULT) { Ok(None) } else { Ok(Some(self.number(true)?)) }
    }

    fn option_number(&mut self) -> PResult<u64> {
        self.advance();
        self.accept_eq();
        self.number(true)
    }

    fn option_number_up_to(&mut self, most: u64, range: &'static str) -> PResult<u64> {
        self.advance();
        self.accept_eq();
        let at = self.cur.start;
        let n = self.number(true)?;
        if n > most { Err(Fail::Says(range, at)) } else { Ok(n) }
    }

    fn option_string(&mut self) -> PResult<&'a [u8]> {
        self.advance();
        self.accept_eq();
        self.string()
    }

    /// 4M, 1G: a number with a unit, or a plain number.
    pub(super) fn size(&mut self) -> PResult<u64> {
        let t = self.cur;
        if !self.is(Tk::Word) || t.kw != Kw::NOT_A_KEYWORD {
            return self.number(false);
        }
        let wrong = Fail::Words(ErrorCode::WRONG_SIZE_NUMBER, "");
        let (digits, unit) = self.text(t).split_at(self.text(t).len().saturating_sub(1));
        let shift = match unit {
            b"k" | b"K" => 10,
            b"m" | b"M" => 20,
            b"g" | b"G" => 30,
            _ => return Err(wrong),
        };
        if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
            return Err(wrong);
        }
        match std::str::from_utf8(digits).ok().and_then(|d| d.parse::<i32>().ok()) {
            Some(n) => {
                self.advance();
                Ok((n as u64) << shift)
            }
            None => Err(Fail::Words(ErrorCode::SIZE_OVERFLOW_ERROR, "")),
        }
    }

    /// One table option, if one stands here.
    pub(super) fn table_option(&mut self) -> PResult<Option<TableOption<'a>>> {
        use TableOption as O;
        let option = match self.kw() {
            Kw::ENGINE => self.engine_option()?,
            Kw::STORAGE if self.peek(1).kw == Kw::ENGINE => self.engine_option()?,
            Kw::AUTO_INCREMENT => O::AutoIncrement(self.option_number()?),
            Kw::AVG_ROW_LENGTH => {
                let range = "The valid range for avg_row_length is [0,4294967295]. Error";
                O::AvgRowLength(self.option_number_up_to(u64::from(u32::MAX), range)?)
            }
            Kw::MAX_ROWS => O::MaxRows(self.option_number()?),
            Kw::MIN_ROWS => O::MinRows(self.option_number()?),
            Kw::CHECKSUM | Kw::TABLE_CHECKSUM => O::Checksum(self.option_number()?),
            Kw::DELAY_KEY_WRITE => O::DelayKeyWrite(self.option_number()?),
            Kw::KEY_BLOCK_SIZE => {
                let range = "The valid range for key_block_size is [0,65535]. Error";
                O::KeyBlockSize(self.option_number_up_to(65_535, range)?)
            }
            Kw::COMMENT => O::Comment(self.option_string()?),
            Kw::PASSWORD => O::Password(self.option_string()?),
            Kw::COMPRESSION => O::Compression(self.option_string()?),
            Kw::ENCRYPTION => O::Encryption(self.option_string()?),
            Kw::CONNECTION => O::Connection(self.option_string()?),
            Kw::ENGINE_ATTRIBUTE => O::EngineAttribute(self.option_string()?),
            Kw::SECONDARY_ENGINE_ATTRIBUTE => O::SecondaryEngineAttribute(self.option_string()?),
            Kw::DATA | Kw::INDEX if self.peek(1).kw == Kw::DIRECTORY => {
                let data = self.is_kw(Kw::DATA);
                self.advance();
                let path = self.option_string()?;
                if data { O::DataDirectory(path) } else { O::IndexDirectory(path) }
            }
            Kw::DEFAULT | Kw::CHARACTER | Kw::CHARSET | Kw::COLLATE | Kw::CHAR => return self.charset_option(),
            Kw::INSERT_METHOD => {
                self.advance();
                self.accept_eq();
                O::InsertMethod(self.one_of(&[Kw::NO, Kw::FIRST, Kw::LAST])?)
            }
            Kw::PACK_KEYS | Kw::STATS_AUTO_RECALC | Kw::STATS_PERSISTENT | Kw::STATS_SAMPLE_PAGES => {
                self.number_or_default_option()?
            }
            Kw::ROW_FORMAT => self.row_format_option()?,
            Kw::TABLESPACE => {
                self.advance();
                self.accept_eq();
                O::Tablespace(self.ident()?)
            }
            Kw::STORAGE => {
                self.advance();
                O::Storage(self.one_of(&[Kw::DISK, Kw::MEMORY])?)
            }
            Kw::UNION => self.union_option()?,
            Kw::SECONDARY_ENGINE => {
                self.advance();
                self.accept_eq();
                O::SecondaryEngine(if self.accept_kw(Kw::NULL) { None } else { Some(self.ident_or_text()?) })
            }
            Kw::AUTOEXTEND_SIZE => {
                self.advance();
                self.accept_eq();
                O::AutoextendSize(self.size()?)
            }
            Kw::START if self.peek(1).kw == Kw::TRANSACTION => {
                self.advance();
                self.advance();
                O::StartTransaction
            }
            _ => return Ok(None),
        };
        Ok(Some(option))
    }

    /// PACK_KEYS and STATS_...: a number within its bounds, or DEFAULT.
    fn number_or_default_option(&mut self) -> PResult<TableOption<'a>> {
        use TableOption as O;
        let kw = self.kw();
        self.advance();
        self.accept_eq();
        let at = self.cur.start;
        let n = self.number_or_default()?;
        let pages = kw == Kw::STATS_SAMPLE_PAGES;
        let allowed = if pages { 1..=65_535 } else { 0..=1 };
        if n.is_some_and(|n| !allowed.contains(&n)) {
            let range = "The valid range for stats_sample_pages is [1, 65535]. Error";
            return Err(if pages { Fail::Says(range, at) } else { Fail::Syntax(at) });
        }
        Ok(match kw {
            Kw::PACK_KEYS => O::PackKeys(n),
            Kw::STATS_AUTO_RECALC => O::StatsAutoRecalc(n),
            Kw::STATS_PERSISTENT => O::StatsPersistent(n),
            _ => O::StatsSamplePages(n),
        })
    }

    /// ROW_FORMAT.
    fn row_format_option(&mut self) -> PResult<TableOption<'a>> {
        self.advance();
        self.accept_eq();
        let name = self.lower(self.cur)?;
        if !matches!(name, "default" | "fixed" | "dynamic" | "compressed" | "redundant" | "compact") {
            return self.fail();
        }
        self.advance();
        Ok(TableOption::RowFormat(name))
    }

    /// [STORAGE] ENGINE.
    fn engine_option(&mut self) -> PResult<TableOption<'a>> {
        self.accept_kw(Kw::STORAGE);
        self.advance();
        self.accept_eq();
        Ok(TableOption::Engine(self.ident_or_text()?))
    }

    /// UNION (tables).
    fn union_option(&mut self) -> PResult<TableOption<'a>> {
        self.advance();
        self.accept_eq();
        self.expect(Tk::LParen)?;
        let tables = if self.is(Tk::RParen) { &[] } else { self.comma_list(|p| p.table_name())? };
        self.expect(Tk::RParen)?;
        Ok(TableOption::Union(tables))
    }

    /// `[DEFAULT] CHARACTER SET|CHARSET|COLLATE [=] name`
    fn charset_option(&mut self) -> PResult<Option<TableOption<'a>>> {
        self.accept_kw(Kw::DEFAULT);
        if self.accept_kw(Kw::COLLATE) {
            self.accept_eq();
            return Ok(Some(TableOption::Collate(self.collation_name()?)));
        }
        self.charset_words()?;
        self.accept_eq();
        Ok(Some(TableOption::Charset(self.charset_name()?)))
    }

    /// CHARACTER SET, CHAR SET, CHARSET
    pub(super) fn charset_words(&mut self) -> PResult<()> {
        if self.accept_kw(Kw::CHARSET) || self.accept_kws(&[Kw::CHAR, Kw::SET]) {
            return Ok(());
        }
        self.expect_kws(&[Kw::CHARACTER, Kw::SET])
    }

    /// After DROP [TEMPORARY] TABLE|TABLES.
    pub(super) fn drop_table(&mut self, temporary: bool) -> PResult<Statement<'a>> {
        let if_exists = self.if_exists()?;
        let tables = self.comma_list(|p| p.table_name())?;
        self.restrict_or_cascade();
        Ok(Statement::DropTable(self.alloc(DropTable { temporary, if_exists, tables })))
    }

    /// RESTRICT and CASCADE have no effect in MySQL (manual: "DROP TABLE Statement").
    pub(super) fn restrict_or_cascade(&mut self) {
        if !self.accept_kw(Kw::RESTRICT) {
            self.accept_kw(Kw::CASCADE);
        }
    }

    pub(super) fn truncate(&mut self) -> PResult<Statement<'a>> {
        self.expect_kw(Kw::TRUNCATE)?;
        self.accept_kw(Kw::TABLE);
        Ok(Statement::TruncateTable(self.table_name()?))
    }

    /// RENAME TABLE | USER
    pub(super) fn rename(&mut self) -> PResult<Statement<'a>> {
        self.expect_kw(Kw::RENAME)?;
        if self.accept_kw(Kw::USER) {
            return self.rename_user();
        }
        if !self.accept_kw(Kw::TABLE) {
            self.expect_kw(Kw::TABLES)?;
        }
        let pairs = self.comma_list(|p| {
            let old = p.table_name()?;
            p.expect_kw(Kw::TO)?;
            Ok((old, p.table_name()?))
        })?;
        Ok(Statement::RenameTable(pairs))
    }
}
