//! Calls: functions with MySQL's own names for them, aggregates, casts, CASE, special syntax.

use super::Printer;
use crate::ast::{
    Aggregate, Case, Cast, CastType, DataType, Expr, ExprKind, FuncCall, IntervalUnit, JsonValue, LitValue, Literal,
    MatchMode, TemporalKind, TrimSide, TypeName, UnaryOp, WeightCast, WindowFn, WindowFunc,
};

/// Function names that MySQL writes differently: (as called, as printed).
const NAMES: [(&str, &str); 14] = [
    ("substring", "substr"),
    ("mid", "substr"),
    ("lcase", "lower"),
    ("ucase", "upper"),
    ("power", "pow"),
    ("ceil", "ceiling"),
    ("character_length", "char_length"),
    ("octet_length", "length"),
    ("day", "dayofmonth"),
    ("sha1", "sha"),
    ("schema", "database"),
    ("session_user", "user"),
    ("system_user", "user"),
    ("json_append", "json_array_append"),
];

impl Printer<'_, '_> {
    fn call(&mut self, name: &str, args: &[Expr<'_>]) {
        self.put(name);
        self.put("(");
        self.list(args);
        self.put(")");
    }

    /// What [`Printer::expr`] leaves: calls and special syntax.
    pub(super) fn function(&mut self, e: &Expr<'_>) {
        match &e.kind {
            ExprKind::Func(f) => self.func_call(f),
            ExprKind::Aggregate(a) => self.aggregate(a),
            ExprKind::WindowFunc(w) => self.window_func(w),
            ExprKind::Case(c) => self.case(c),
            ExprKind::Cast(c) => self.cast(c),
            ExprKind::ConvertUsing { expr, charset } => {
                self.put("convert(");
                self.expr(expr);
                self.put(" using ");
                self.set_name(charset);
                self.put(")");
            }
            ExprKind::Collate { expr, collation } => self.collate(expr, collation),
            ExprKind::Extract { unit: u, expr } => {
                self.put("extract(");
                self.put(u.name());
                self.put(" from ");
                self.expr(expr);
                self.put(")");
            }
            ExprKind::Trim { side, remove, expr } => self.trim(*side, *remove, expr),
            ExprKind::DateArith { expr, value, unit, subtract } => self.date_arith(expr, value, *unit, *subtract),
            ExprKind::TimestampAdd { unit: u, value, expr } => self.timestamp_func("timestampadd", *u, value, expr),
            ExprKind::TimestampDiff { unit: u, from, to } => self.timestamp_func("timestampdiff", *u, from, to),
            ExprKind::GetFormat { kind, format } => {
                self.put(match kind {
                    TemporalKind::Date => "get_format(DATE, ",
                    TemporalKind::Time => "get_format(TIME, ",
                    TemporalKind::DateTime => "get_format(DATETIME, ",
                });
                self.expr(format);
                self.put(")");
            }
            ExprKind::Match { columns, against, mode } => self.match_against(columns, against, *mode),
            ExprKind::Default(None) => self.put("default"),
            ExprKind::Default(Some(c)) => {
                self.put("default(");
                self.column(c);
                self.put(")");
            }
            ExprKind::Values(c) => {
                self.put("values(");
                self.column(c);
                self.put(")");
            }
            ExprKind::Char { args, charset } => {
                self.put("char(");
                self.list(args);
                if let Some(c) = charset {
                    self.put(" using ");
                    self.set_name(c);
                }
                self.put(")");
            }
            ExprKind::WeightString { expr, cast, raw } => self.weight_string(expr, *cast, *raw),
            ExprKind::JsonValue(v) => self.json_value(v),
            ExprKind::JsonArrow { document, path, unquote } => {
                self.put(if *unquote { "json_unquote(json_extract(" } else { "json_extract(" });
                self.expr(document);
                self.put(",");
                self.literal(&path.value);
                self.put(if *unquote { "))" } else { ")" });
            }
            ExprKind::Odbc { expr, .. } => self.expr(expr),
            // everything else is printed by `expr`
            _ => {}
        }
    }

    /// CAST.
    fn cast(&mut self, c: &Cast<'_>) {
        self.put("cast(");
        self.expr(&c.expr);
        if let Some((zone, _)) = c.at_time_zone {
            self.put(" AT TIME ZONE ");
            // only a string may stand here, and only that of UTC is taken
            self.quoted(&String::from_utf8_lossy(zone));
        }
        self.put(" as ");
        if c.array {
            self.array_type(&c.ty);
            self.put(" array)");
        } else {
            self.cast_type(&c.ty);
            self.put(")");
        }
    }

    /// `x COLLATE name`.
    fn collate(&mut self, expr: &Expr<'_>, collation: &str) {
        // a sign binds less than COLLATE
        let signed = is_signed(expr);
        self.put(if signed { "((" } else { "(" });
        self.operand_of(expr);
        self.put(if signed { ") collate " } else { " collate " });
        self.set_name(collation);
        self.put(")");
    }

    /// A date and an interval.
    fn date_arith(&mut self, expr: &Expr<'_>, value: &Expr<'_>, u: IntervalUnit, subtract: bool) {
        self.put("(");
        self.operand_of(expr);
        self.put(if subtract { " - interval " } else { " + interval " });
        // INTERVAL and a list in parentheses would be the function
        let row = matches!(value.unparen().kind, ExprKind::Row(_));
        self.put(if row { "(" } else { "" });
        self.operand_of(value);
        self.put(if row { ")" } else { "" });
        self.put(" ");
        self.put(u.name());
        self.put(")");
    }

    /// Full-text search.
    fn match_against(&mut self, columns: &[Expr<'_>], against: &Expr<'_>, mode: MatchMode) {
        self.put("(match ");
        self.list(columns);
        self.put(" against (");
        self.operand_of(against);
        self.put(match mode {
            MatchMode::NaturalLanguage => "",
            MatchMode::NaturalLanguageExpansion => " with query expansion",
            MatchMode::Boolean => " in boolean mode",
        });
        self.put("))");
    }

    /// WEIGHT_STRING.
    fn weight_string(&mut self, expr: &Expr<'_>, cast: Option<(WeightCast, u64)>, raw: Option<&(u64, u64, u64)>) {
        self.put("weight_string(");
        self.expr(expr);
        match cast {
            Some((WeightCast::Char, n)) => self.put(&format!(" as char({n})")),
            Some((WeightCast::Binary, n)) => self.put(&format!(" as binary({n})")),
            None => {}
        }
        if let Some((length, points, flags)) = raw {
            self.put(&format!(",{length},{points},{flags}"));
        }
        self.put(")");
    }

    fn func_call(&mut self, f: &FuncCall<'_>) {
        if let Some(s) = f.schema {
            self.ident(s);
            self.put(".");
            self.ident(f.name);
            self.call("", f.args);
            return;
        }
        match (f.name, f.args) {
            ("isnull", [x]) => {
                self.put("(");
                self.operand_of(x);
                self.put(" is null)");
            }
            ("weekofyear", [x]) => {
                self.put("week(");
                self.expr(x);
                self.put(",3)");
            }
            ("date", [x]) => {
                self.put("cast(");
                self.expr(x);
                self.put(" as date)");
            }
            // an alias of nothing but spaces, which were left out when it was read, is none
            (name, args) if f.aliases.iter().all(|a| a.is_none_or(str::is_empty)) => {
                let name = NAMES.iter().find(|n| n.0 == name).map_or(name, |n| n.1);
                if is_plain_name(name) {
                    self.call(name, args);
                } else {
                    self.ident(name);
                    self.call("", args);
                }
            }
            (name, args) => {
                self.put(name);
                self.put("(");
                for (i, a) in args.iter().enumerate() {
                    if i > 0 {
                        self.put(",");
                    }
                    self.expr(a);
                    // a name of nothing but spaces, which were left out when it was read, cannot be written
                    if let Some(Some(n)) = f.aliases.get(i).filter(|n| **n != Some("")) {
                        self.put(" AS ");
                        self.ident(n);
                    }
                }
                self.put(")");
            }
        }
    }

    fn aggregate(&mut self, a: &Aggregate<'_>) {
        self.put(Self::aggregate_name(a.func));
        self.put("(");
        if a.distinct {
            self.put("distinct ");
        }
        if a.args.is_empty() {
            self.put("0");
        }
        self.list(a.args);
        if !a.order_by.is_empty() {
            self.put(" order by ");
            self.comma(a.order_by, |p, o| {
                p.expr(&o.expr);
                p.put(if o.desc { " DESC" } else { " ASC" });
            });
        }
        if a.func == crate::ast::AggFunc::GroupConcat {
            self.put(" separator ");
            self.bytes(a.separator.unwrap_or(b","));
        }
        self.put(")");
        if let Some(o) = &a.over {
            self.over(o);
        }
    }

    fn window_func(&mut self, w: &WindowFunc<'_>) {
        let name = match w.func {
            WindowFn::RowNumber => "row_number",
            WindowFn::Rank => "rank",
            WindowFn::DenseRank => "dense_rank",
            WindowFn::PercentRank => "percent_rank",
            WindowFn::CumeDist => "cume_dist",
            WindowFn::Ntile => "ntile",
            WindowFn::Lead => "lead",
            WindowFn::Lag => "lag",
            WindowFn::FirstValue => "first_value",
            WindowFn::LastValue => "last_value",
            WindowFn::NthValue => "nth_value",
        };
        self.put(name);
        self.put("(");
        // where the grammar asks for a number it takes a variable only without parentheses
        self.comma(w.args, |p, e| match e.kind {
            ExprKind::UserVar(n) => p.user_var(n),
            _ => p.expr(e),
        });
        self.put(")");
        if w.from_last {
            self.put(" from last");
        }
        if w.ignore_nulls {
            self.put(" ignore nulls");
        }
        self.over(&w.over);
    }

    fn case(&mut self, c: &Case<'_>) {
        self.put("(case ");
        if let Some(o) = &c.operand {
            self.operand_of(o);
            self.put(" ");
        }
        for (when, then) in c.whens {
            self.put("when ");
            self.expr(when);
            self.put(" then ");
            self.expr(then);
            self.put(" ");
        }
        if let Some(o) = &c.otherwise {
            self.put("else ");
            self.expr(o);
            self.put(" ");
        }
        self.put("end)");
    }

    fn trim(&mut self, side: TrimSide, remove: Option<&Expr<'_>>, e: &Expr<'_>) {
        self.put("trim(");
        let word = match (side, remove) {
            (TrimSide::Both, None) => None,
            (TrimSide::Both, _) => Some("both"),
            (TrimSide::Leading, _) => Some("leading"),
            (TrimSide::Trailing, _) => Some("trailing"),
        };
        if let Some(w) = word {
            self.put(w);
            self.put(" ");
            if let Some(r) = remove {
                self.expr(r);
                self.put(" ");
            }
            self.put("from ");
        }
        self.expr(e);
        self.put(")");
    }

    fn timestamp_func(&mut self, name: &str, u: IntervalUnit, a: &Expr<'_>, b: &Expr<'_>) {
        self.put(name);
        self.put("(");
        self.put(&u.name().to_ascii_uppercase());
        self.put(",");
        self.list(&[*a, *b]);
        self.put(")");
    }

    fn json_value(&mut self, v: &JsonValue<'_>) {
        self.put("json_value(");
        self.expr(&v.doc);
        self.put(", ");
        match &v.path.kind {
            // only a string can stand here, with or without its character set
            ExprKind::Literal(Literal { value: LitValue::Str { bytes, charset: None }, .. })
                if self.style.stored.is_none() && std::str::from_utf8(bytes).is_err() =>
            {
                self.put("_binary ");
                self.hex(bytes);
            }
            _ => self.expr(&v.path),
        }
        if let Some(t) = &v.returning {
            self.put(" returning ");
            // CHAR without a character set is utf8mb4_bin here, whatever the connection's is
            let stored = self.style.stored.take();
            let ty = self.apart(|p| p.cast_type(t));
            // MySQL has a blank here, and none in CAST
            self.put(&ty.replace(',', ", "));
            self.style.stored = stored;
        }
        self.json_on(v.on_empty, "empty");
        self.json_on(v.on_error, "error");
        self.put(")");
    }

    fn cast_type(&mut self, t: &CastType<'_>) {
        let sized = |word: &str, n: Option<u64>| n.map_or_else(|| word.to_owned(), |n| format!("{word}({n})"));
        let text = match t {
            CastType::Binary(None) => "char charset binary".to_owned(),
            CastType::Binary(Some(n)) => format!("char({n}) charset binary"),
            CastType::Char { length, charset, binary } => {
                let mut s = sized("char", *length);
                if let Some(c) = charset.or(self.style.stored) {
                    let name = self.apart(|p| p.set_name(c));
                    s = format!("{s} charset {name}");
                }
                if *binary {
                    s.push_str(" binary");
                }
                s
            }
            CastType::Signed => "signed".to_owned(),
            CastType::Unsigned => "unsigned".to_owned(),
            CastType::Date => "date".to_owned(),
            CastType::Time(n) => sized("time", n.map(u64::from)),
            CastType::DateTime(n) => sized("datetime", n.map(u64::from)),
            CastType::Year => "year".to_owned(),
            CastType::Decimal { length: None, .. } => "decimal(10,0)".to_owned(),
            // too large for a pair of numbers, and for any DECIMAL
            CastType::Decimal { length: Some(n), decimals: None } if *n > i32::MAX as u64 => format!("decimal({n})"),
            CastType::Decimal { length: Some(n), decimals } => format!("decimal({n},{})", decimals.unwrap_or(0)),
            CastType::Float(n) => sized("float", *n),
            CastType::Double => "double".to_owned(),
            CastType::Real => "real".to_owned(),
            CastType::Json => "json".to_owned(),
            CastType::Geometry(n) => (*n).to_owned(),
        };
        self.put(&text);
    }

    /// The type of a CAST ... ARRAY, which MySQL prints as it was written.
    fn array_type(&mut self, t: &CastType<'_>) {
        let text = match t {
            CastType::Binary(Some(n)) => format!("binary({n})"),
            CastType::Char { length: Some(n), charset: Some(c), .. } if c.eq_ignore_ascii_case("binary") => {
                format!("binary({n})")
            }
            CastType::Char { length: Some(n), charset: None, .. } => format!("char({n})"),
            CastType::Decimal { length, decimals } => {
                format!("decimal({}, {})", length.unwrap_or(10), decimals.unwrap_or(0))
            }
            t => return self.cast_type(t),
        };
        self.put(&text);
    }

    /// A column type of JSON_TABLE.
    pub(super) fn data_type(&mut self, t: &DataType<'_>) {
        self.put(type_word(t.kind));
        match (t.length, t.decimals) {
            (Some(n), Some(d)) => self.put(&format!("({n},{d})")),
            (Some(n), None) => self.put(&format!("({n})")),
            _ => {}
        }
        if !t.values.is_empty() {
            self.put("(");
            self.comma(t.values, |p, v| p.bytes(v));
            self.put(")");
        }
        if t.unsigned {
            self.put(" unsigned");
        }
        if let Some(c) = t.charset {
            self.put(" charset ");
            self.set_name(c);
        }
        if let Some(c) = t.collation {
            self.put(" collate ");
            self.set_name(c);
        }
    }
}

fn type_word(t: TypeName) -> &'static str {
    match t {
        TypeName::TinyInt => "tinyint",
        TypeName::SmallInt => "smallint",
        TypeName::MediumInt => "mediumint",
        TypeName::Int => "int",
        TypeName::BigInt | TypeName::Serial => "bigint",
        TypeName::Bool => "tinyint(1)",
        TypeName::Decimal => "decimal",
        TypeName::Float => "float",
        TypeName::Double => "double",
        TypeName::Real => "real",
        TypeName::Bit => "bit",
        TypeName::Date => "date",
        TypeName::Time => "time",
        TypeName::DateTime => "datetime",
        TypeName::Timestamp => "timestamp",
        TypeName::Year => "year",
        TypeName::Char => "char",
        TypeName::VarChar => "varchar",
        TypeName::Binary => "binary",
        TypeName::VarBinary => "varbinary",
        TypeName::TinyText => "tinytext",
        TypeName::Text => "text",
        TypeName::MediumText => "mediumtext",
        TypeName::LongText => "longtext",
        TypeName::TinyBlob => "tinyblob",
        TypeName::Blob => "blob",
        TypeName::MediumBlob => "mediumblob",
        TypeName::LongBlob => "longblob",
        TypeName::Enum => "enum",
        TypeName::Set => "set",
        TypeName::Json => "json",
        TypeName::Geometry => "geometry",
        TypeName::Point => "point",
        TypeName::LineString => "linestring",
        TypeName::Polygon => "polygon",
        TypeName::MultiPoint => "multipoint",
        TypeName::MultiLineString => "multilinestring",
        TypeName::MultiPolygon => "multipolygon",
        TypeName::GeometryCollection => "geometrycollection",
    }
}

/// Reserved words that the grammar takes as names of functions.
const RESERVED: [&str; 13] = [
    "current_user",
    "database",
    "grouping",
    "if",
    "insert",
    "interval",
    "left",
    "repeat",
    "replace",
    "right",
    "utc_date",
    "utc_time",
    "utc_timestamp",
];

/// Whether the name of a function can be written without quotes.
fn is_plain_name(name: &str) -> bool {
    let kw = crate::lexer::Kw::lookup(name.as_bytes());
    !name.is_empty()
        && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
        && !name.starts_with(|c: char| c.is_ascii_digit())
        && (!kw.is_reserved() || RESERVED.contains(&name))
        && !kw.names_no_function()
        && !crate::parse::names_no_function(name)
}

/// Whether the text begins with a sign.
fn is_signed(e: &Expr<'_>) -> bool {
    match &e.unparen().kind {
        ExprKind::Unary { op: UnaryOp::Plus, expr } => is_signed(expr),
        ExprKind::Unary { op, .. } => *op != UnaryOp::Not,
        _ => false,
    }
}
