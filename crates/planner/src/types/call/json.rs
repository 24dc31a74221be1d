//! Result types of the JSON functions.

use value::{CollationId, SqlType, TypeKind};

use super::super::{longlong, string_type};
use super::{Call, Typed};
use crate::expr::Coercibility;
use crate::func::family::{JsonChanged, JsonFound, JsonMade, JsonSchema};

/// A document, which may always be NULL.
fn document() -> Typed {
    Ok((SqlType::new(TypeKind::Json).nullable(true), Coercibility::Implicit))
}

/// A text. A column's collation counts beside it, as beside a literal.
fn text(chars: u64) -> Typed {
    Ok((string_type(chars, CollationId::UTF8MB4_BIN).nullable(true), Coercibility::Coercible))
}

/// Type and coercibility of a new document, of its text or its measures.
pub(super) fn made(f: JsonMade, c: &Call<'_>) -> Typed {
    use JsonMade as F;
    match f {
        F::JsonArray | F::JsonObject | F::JsonBool => document(),
        // each character may need six, and there are quotes around them
        F::JsonQuote => text(c.chars(0).saturating_mul(6).saturating_add(2)),
        F::JsonUnquote | F::JsonPretty => {
            Ok((value::json::convert::text_type().nullable(true), Coercibility::Coercible))
        }
        F::JsonType => text(17),
        F::JsonValid | F::JsonDepth | F::JsonLength | F::JsonStorageSize | F::JsonStorageFree => {
            c.null_num(longlong(21))
        }
    }
}

/// Type and coercibility of what is found in a document.
pub(super) fn found(f: JsonFound, c: &Call<'_>) -> Typed {
    use JsonFound as F;
    match f {
        F::JsonExtract | F::JsonKeys | F::JsonSearch => document(),
        F::JsonContains | F::JsonContainsPath => c.null_num(longlong(21)),
        F::JsonOverlaps | F::JsonMemberOf | F::InElements => c.null_num(longlong(1)),
        // its type is what RETURNING says
        F::JsonValue(..) => Ok((c.a0(), Coercibility::Implicit)),
    }
}

/// Type and coercibility of a changed document.
pub(super) fn changed(f: JsonChanged) -> Typed {
    use JsonChanged as F;
    match f {
        F::JsonArrayAppend
        | F::JsonArrayInsert
        | F::JsonInsert
        | F::JsonReplace
        | F::JsonSet
        | F::JsonRemove
        | F::JsonMerge
        | F::JsonMergePatch
        | F::JsonMergePreserve => document(),
    }
}

/// Type and coercibility of what a schema says of a document.
pub(super) fn schema(f: JsonSchema, c: &Call<'_>) -> Typed {
    use JsonSchema as F;
    match f {
        F::JsonSchemaValid => c.null_num(longlong(1)),
        F::JsonSchemaValidationReport => document(),
    }
}
