//! Expressions.
#![allow(missing_docs)] // see ast/mod.rs

use super::{LocalRef, OrderItem, QueryExpr, Span, WindowRef};
use base::IntervalUnit;

/// An expression with its place in the text.
#[derive(Clone, Copy, Debug)]
pub struct Expr<'a> {
    pub span: Span,
    pub kind: ExprKind<'a>,
}

/// What an expression is.
#[derive(Clone, Copy, Debug)]
#[repr(u64)] // a tag of one byte makes rustc split copies at odd offsets, which stalls store forwarding (measured)
pub enum ExprKind<'a> {
    Literal(&'a Literal<'a>),
    Column(&'a ColumnRef<'a>),
    /// `?`, counted from 0.
    Param(u32),
    /// `@name` (without `@`; names are case-insensitive, given as written).
    UserVar(&'a str),
    /// `@name := expr`.
    AssignUserVar {
        name: &'a str,
        value: &'a Expr<'a>,
    },
    SysVar(&'a SysVar<'a>),
    /// A variable or parameter of the stored program that the statement is part of, a column of its NEW or OLD.
    Local(&'a LocalRef<'a>),
    Unary {
        op: UnaryOp,
        expr: &'a Expr<'a>,
    },
    /// All binary operators except AND and OR; chains are left-deep.
    Binary {
        op: BinaryOp,
        left: &'a Expr<'a>,
        right: &'a Expr<'a>,
    },
    /// Two or more operands.
    And(&'a [Expr<'a>]),
    /// Two or more operands.
    Or(&'a [Expr<'a>]),
    Is {
        expr: &'a Expr<'a>,
        test: IsTest,
        negated: bool,
    },
    Between {
        expr: &'a Expr<'a>,
        low: &'a Expr<'a>,
        high: &'a Expr<'a>,
        negated: bool,
    },
    InList {
        expr: &'a Expr<'a>,
        list: &'a [Expr<'a>],
        negated: bool,
    },
    InSubquery {
        expr: &'a Expr<'a>,
        query: &'a QueryExpr<'a>,
        negated: bool,
    },
    Like {
        expr: &'a Expr<'a>,
        pattern: &'a Expr<'a>,
        escape: Option<&'a Expr<'a>>,
        negated: bool,
    },
    Regexp {
        expr: &'a Expr<'a>,
        pattern: &'a Expr<'a>,
        negated: bool,
    },
    /// `expr MEMBER OF (json_array)`.
    MemberOf {
        expr: &'a Expr<'a>,
        array: &'a Expr<'a>,
    },
    /// `(a, b)` or `ROW(a, b)`, two or more.
    Row(&'a [Expr<'a>]),
    Subquery(&'a QueryExpr<'a>),
    Exists(&'a QueryExpr<'a>),
    /// `left op ANY|SOME|ALL (query)`.
    Quantified {
        op: BinaryOp,
        all: bool,
        left: &'a Expr<'a>,
        query: &'a QueryExpr<'a>,
    },
    /// Any call `name(args)` that is none of the forms below.
    Func(&'a FuncCall<'a>),
    Aggregate(&'a Aggregate<'a>),
    WindowFunc(&'a WindowFunc<'a>),
    Case(&'a Case<'a>),
    /// `CAST(expr AS type)`, `CONVERT(expr, type)`, `BINARY expr` (type BINARY without length).
    Cast(&'a Cast<'a>),
    /// `CONVERT(expr USING charset)`; "binary" and "default" are possible names.
    ConvertUsing {
        expr: &'a Expr<'a>,
        charset: &'a str,
    },
    Collate {
        expr: &'a Expr<'a>,
        collation: &'a str,
    },
    Extract {
        unit: IntervalUnit,
        expr: &'a Expr<'a>,
    },
    Trim {
        side: TrimSide,
        remove: Option<&'a Expr<'a>>,
        expr: &'a Expr<'a>,
    },
    /// `expr + INTERVAL n unit`, DATE_ADD, DATE_SUB, ADDDATE, SUBDATE (also with a plain number of days).
    DateArith {
        expr: &'a Expr<'a>,
        value: &'a Expr<'a>,
        unit: IntervalUnit,
        subtract: bool,
    },
    TimestampAdd {
        unit: IntervalUnit,
        value: &'a Expr<'a>,
        expr: &'a Expr<'a>,
    },
    TimestampDiff {
        unit: IntervalUnit,
        from: &'a Expr<'a>,
        to: &'a Expr<'a>,
    },
    GetFormat {
        kind: TemporalKind,
        format: &'a Expr<'a>,
    },
    Match {
        columns: &'a [Expr<'a>],
        against: &'a Expr<'a>,
        mode: MatchMode,
    },
    /// `DEFAULT(col)`, or `DEFAULT` alone where a value of INSERT/UPDATE stands (`None`).
    Default(Option<&'a ColumnRef<'a>>),
    /// `VALUES(col)` inside ON DUPLICATE KEY UPDATE.
    Values(&'a ColumnRef<'a>),
    /// `CHAR(n, ... [USING charset])`.
    Char {
        args: &'a [Expr<'a>],
        charset: Option<&'a str>,
    },
    WeightString {
        expr: &'a Expr<'a>,
        cast: Option<(WeightCast, u64)>,
        /// Result length, code points and flags of the form with four arguments.
        raw: Option<&'a (u64, u64, u64)>,
    },
    JsonValue(&'a JsonValue<'a>),
    /// `col->'$.a'` (JSON_EXTRACT) or, with `unquote`, `col->>'$.a'`. `document`: a column, or a place of a program.
    JsonArrow {
        document: &'a Expr<'a>,
        path: &'a Literal<'a>,
        unquote: bool,
    },
    /// `{identifier expr}` of ODBC, where the identifier is not d, t or ts: the value of `expr`.
    Odbc {
        ident: &'a str,
        expr: &'a Expr<'a>,
    },
    /// `(expr)`: kept because it matters for the text of a column name only; transparent otherwise.
    Paren(&'a Expr<'a>),
}

impl<'a> Expr<'a> {
    /// The expression without parentheses around it.
    pub fn unparen(&self) -> &Expr<'a> {
        let mut e = self;
        while let ExprKind::Paren(inner) = e.kind {
            e = inner;
        }
        e
    }
}

/// `c`, `t.c`, `db.t.c`.
#[derive(Clone, Copy, Debug)]
pub struct ColumnRef<'a> {
    pub span: Span,
    pub schema: Option<&'a str>,
    pub table: Option<&'a str>,
    pub column: &'a str,
}

/// A literal as written.
#[derive(Clone, Copy, Debug)]
pub struct Literal<'a> {
    pub span: Span,
    /// Ordinal among the statement's literals or [`super::NOT_LIFTED`].
    pub lit: u32,
    pub value: LitValue<'a>,
    /// Bytes of the first of several strings (`'a' 'b'`): it alone names a column.
    pub first: Option<u32>,
}

/// Value of a literal.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum LitValue<'a> {
    Null,
    /// TRUE and FALSE: integers 1 and 0 whose column name is the word.
    Bool(bool),
    /// Decimal integer that fits 64 unsigned bits (static type BIGINT up to 2^63-1, above BIGINT UNSIGNED).
    Int(u64),
    /// Integer beyond 64 bits, or a number with a point: DECIMAL. Text as written.
    Decimal(&'a str),
    /// Number with an exponent: DOUBLE. Text as written.
    Float(&'a str),
    /// Unescaped bytes. `charset`: introducer `_latin1'..'` without the underscore, "utf8mb3" for N'..'.
    Str {
        bytes: &'a [u8],
        charset: Option<&'a str>,
    },
    /// x'..' or 0x..: the bytes; a number in numeric context, a binary string otherwise.
    Hex {
        bytes: &'a [u8],
        charset: Option<&'a str>,
    },
    /// b'..' or 0b..: the bytes, big-endian.
    Bit {
        bytes: &'a [u8],
        charset: Option<&'a str>,
    },
    /// `DATE'..'` or `{d '..'}`: text between the quotes.
    Date(&'a [u8]),
    /// `TIME'..'` or `{t '..'}`.
    Time(&'a [u8]),
    /// `TIMESTAMP'..'` or `{ts '..'}`: a DATETIME.
    Timestamp(&'a [u8]),
}

/// `@@x`, `@@global.x`, `@@session.cache.x`.
#[derive(Clone, Copy, Debug)]
pub struct SysVar<'a> {
    pub scope: VarScope,
    pub name: SysVarName<'a>,
}

/// Name of a system variable: `base` is the structured variable or component before the point.
#[derive(Clone, Copy, Debug)]
pub struct SysVarName<'a> {
    pub span: Span,
    pub base: Option<&'a str>,
    pub name: &'a str,
}

/// Scope words before a system variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum VarScope {
    /// Nothing written: session value if there is one, otherwise global.
    Default,
    Session,
    Global,
    Persist,
    PersistOnly,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UnaryOp {
    Neg,
    Plus,
    BitNot,
    /// `NOT` and `!`.
    Not,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BinaryOp {
    Add,
    Sub,
    Mul,
    Div,
    /// `DIV`
    IntDiv,
    /// `%` and `MOD`
    Mod,
    BitAnd,
    BitOr,
    BitXor,
    Shl,
    Shr,
    Eq,
    /// `<=>`
    NullSafeEq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    Xor,
    /// `SOUNDEX(a) = SOUNDEX(b)`
    SoundsLike,
    /// `||` under PIPES_AS_CONCAT
    Concat,
}

impl BinaryOp {
    /// `=`, `<=>`, `<>`, `<`, `<=`, `>`, `>=`.
    pub const fn is_comparison(self) -> bool {
        use BinaryOp::{Eq, Ge, Gt, Le, Lt, Ne, NullSafeEq};
        matches!(self, Eq | NullSafeEq | Ne | Lt | Le | Gt | Ge)
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum IsTest {
    Null,
    True,
    False,
    Unknown,
}

/// `name(args)` or `db.name(args)`.
#[derive(Clone, Copy, Debug)]
pub struct FuncCall<'a> {
    pub schema: Option<&'a str>,
    /// Lower case. Special syntax is mapped to the plain call: SUBSTRING(a FROM b FOR c) is `substring`, MID too;
    /// POSITION(a IN b) is `locate`; CURRENT_DATE is `curdate`, CURRENT_TIME `curtime`, CURRENT_TIMESTAMP, LOCALTIME
    /// and LOCALTIMESTAMP are `now`, CURRENT_USER is `current_user`; a MOD b is Binary, MOD(a,b) too.
    pub name: &'a str,
    /// The name in the text (error 1305 shows it as written).
    pub name_span: Span,
    pub args: &'a [Expr<'a>],
    /// Aliases `f(expr AS name)` of loadable functions; empty when there are none.
    pub aliases: &'a [Option<&'a str>],
    /// The name is a keyword: where there is no such function the error is 1630, not 1305.
    pub keyword: bool,
    /// A function of the grammar that is not called as such (`MAX (a)`, a quoted name): one that is stored is meant.
    pub stored: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AggFunc {
    Count,
    Sum,
    Avg,
    Min,
    Max,
    BitAnd,
    BitOr,
    BitXor,
    /// STD, STDDEV, STDDEV_POP
    StddevPop,
    StddevSamp,
    /// VAR_POP, VARIANCE
    VarPop,
    VarSamp,
    GroupConcat,
    JsonArrayagg,
    JsonObjectagg,
    AnyValue,
    StCollect,
}

/// An aggregate, also with OVER.
#[derive(Clone, Copy, Debug)]
pub struct Aggregate<'a> {
    pub func: AggFunc,
    pub distinct: bool,
    /// Empty for COUNT(*).
    pub args: &'a [Expr<'a>],
    /// GROUP_CONCAT only.
    pub order_by: &'a [OrderItem<'a>],
    /// GROUP_CONCAT only; `None` is ",".
    pub separator: Option<&'a [u8]>,
    pub over: Option<WindowRef<'a>>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WindowFn {
    RowNumber,
    Rank,
    DenseRank,
    PercentRank,
    CumeDist,
    Ntile,
    Lead,
    Lag,
    FirstValue,
    LastValue,
    NthValue,
}

/// A window function that is not an aggregate.
#[derive(Clone, Copy, Debug)]
pub struct WindowFunc<'a> {
    pub func: WindowFn,
    pub args: &'a [Expr<'a>],
    /// `FROM LAST` of NTH_VALUE (not supported by MySQL: error 1235).
    pub from_last: bool,
    /// `IGNORE NULLS` (not supported by MySQL: error 1235).
    pub ignore_nulls: bool,
    pub over: WindowRef<'a>,
}

#[derive(Clone, Copy, Debug)]
pub struct Case<'a> {
    pub operand: Option<Expr<'a>>,
    /// (WHEN, THEN)
    pub whens: &'a [(Expr<'a>, Expr<'a>)],
    pub otherwise: Option<Expr<'a>>,
}

#[derive(Clone, Copy, Debug)]
pub struct Cast<'a> {
    pub expr: Expr<'a>,
    pub ty: CastType<'a>,
    /// `CAST(expr AS type ARRAY)` of multi-valued indexes.
    pub array: bool,
    /// `CAST(expr AT TIME ZONE [INTERVAL] 'x' AS ..)`: the zone, and whether INTERVAL was there.
    pub at_time_zone: Option<(&'a [u8], bool)>,
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub enum CastType<'a> {
    /// BINARY(length)
    Binary(Option<u64>),
    /// CHAR(length) with charset; `NCHAR` has charset "utf8mb3", `binary`: the BINARY attribute.
    Char {
        length: Option<u64>,
        charset: Option<&'a str>,
        binary: bool,
    },
    Signed,
    Unsigned,
    Date,
    /// fractional digits
    Time(Option<u32>),
    DateTime(Option<u32>),
    Year,
    Decimal {
        length: Option<u64>,
        decimals: Option<u32>,
    },
    /// FLOAT(p): p > 24 is a DOUBLE
    Float(Option<u64>),
    Double,
    /// DOUBLE under REAL_AS_FLOAT is FLOAT: the session decides
    Real,
    Json,
    /// POINT, LINESTRING ...: lower-case name.
    Geometry(&'a str),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TrimSide {
    Both,
    Leading,
    Trailing,
}

/// First argument of GET_FORMAT.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TemporalKind {
    Date,
    Time,
    DateTime,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MatchMode {
    NaturalLanguage,
    NaturalLanguageExpansion,
    Boolean,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WeightCast {
    Char,
    Binary,
}

/// `JSON_VALUE(doc, path RETURNING type .. ON EMPTY .. ON ERROR)`.
#[derive(Clone, Copy, Debug)]
pub struct JsonValue<'a> {
    pub doc: Expr<'a>,
    pub path: Expr<'a>,
    pub returning: Option<CastType<'a>>,
    pub on_empty: Option<JsonOn<'a>>,
    pub on_error: Option<JsonOn<'a>>,
}

#[derive(Clone, Copy, Debug)]
pub enum JsonOn<'a> {
    Null,
    Error,
    Default(Expr<'a>),
}
