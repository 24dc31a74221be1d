//! CHARACTER_SETS, COLLATIONS, COLLATION_CHARACTER_SET_APPLICABILITY, KEYWORDS.

use super::{Hints, Row, SessionView, Spec, T, s, u};
use base::SqlResult;
use value::Charset;
use value::collation::COLLATIONS;

const IS: &str = "information_schema";

pub(super) const TABLES: &[Spec] = &[
    Spec {
        schema: IS,
        name: "CHARACTER_SETS",
        columns: &[
            ("CHARACTER_SET_NAME", T::S(64), false),
            ("DEFAULT_COLLATE_NAME", T::S(64), false),
            ("DESCRIPTION", T::S(2048), false),
            ("MAXLEN", T::UInt, false),
        ],
        rows: character_sets,
    },
    Spec {
        schema: IS,
        name: "COLLATIONS",
        columns: &[
            ("COLLATION_NAME", T::S(64), false),
            ("CHARACTER_SET_NAME", T::S(64), false),
            ("ID", T::Or(&T::U, "0"), false),
            ("IS_DEFAULT", T::Word(3), false),
            ("IS_COMPILED", T::Word(3), false),
            ("SORTLEN", T::UInt, false),
            ("PAD_ATTRIBUTE", T::Enum(&["PAD SPACE", "NO PAD"]), false),
        ],
        rows: collations,
    },
    Spec {
        schema: IS,
        name: "COLLATION_CHARACTER_SET_APPLICABILITY",
        columns: &[("COLLATION_NAME", T::S(64), false), ("CHARACTER_SET_NAME", T::S(64), false)],
        rows: applicability,
    },
];

fn character_sets(_: &SessionView, _: Hints<'_>) -> SqlResult<Vec<Row>> {
    let mut all = Charset::ALL.to_vec();
    all.sort_by_key(|c| c.name());
    let row =
        |c: Charset| vec![s(c.name()), s(c.default_collation().name()), s(c.description()), u(u64::from(c.max_len()))];
    Ok(all.into_iter().map(row).collect())
}

fn collations(_: &SessionView, _: Hints<'_>) -> SqlResult<Vec<Row>> {
    let row = |c: &value::Collation| {
        vec![
            s(c.name),
            s(c.charset.name()),
            u(u64::from(c.id.0)),
            s(if c.is_default { "Yes" } else { "" }),
            s("Yes"),
            u(u64::from(c.sortlen)),
            s(if c.pad_space { "PAD SPACE" } else { "NO PAD" }),
        ]
    };
    let mut all: Vec<&value::Collation> = COLLATIONS.iter().collect();
    all.sort_by_key(|c| c.name);
    Ok(all.into_iter().map(row).collect())
}

fn applicability(_: &SessionView, _: Hints<'_>) -> SqlResult<Vec<Row>> {
    Ok(COLLATIONS.iter().map(|c| vec![s(c.name), s(c.charset.name())]).collect())
}
