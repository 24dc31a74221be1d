//! Result types of the JSON functions.

use value::{CollationId, SqlType, TypeKind};

use super::super::{longlong, string_type};
use super::{Call, Typed};
use crate::expr::Coercibility;
use crate::func::FuncId;
use base::SqlResult;

/// The type, if the function is one of these.
pub(super) fn types(f: FuncId, c: &Call<'_>) -> SqlResult<Option<(SqlType, Coercibility)>> {
    use FuncId as F;
    let t: Typed = match f {
        F::JsonArray
        | F::JsonObject
        | F::JsonExtract
        | F::JsonKeys
        | F::JsonSearch
        | F::JsonArrayAppend
        | F::JsonArrayInsert
        | F::JsonInsert
        | F::JsonReplace
        | F::JsonSet
        | F::JsonRemove
        | F::JsonMerge
        | F::JsonMergePatch
        | F::JsonMergePreserve
        | F::JsonSchemaValidationReport
        | F::JsonBool => Ok((SqlType::new(TypeKind::Json).nullable(true), Coercibility::Implicit)),
        // texts of JSON are like literals: a column's collation counts beside them; each character may need six, and there are quotes around them
        F::JsonQuote => {
            let chars = c.chars(0).saturating_mul(6).saturating_add(2);
            Ok((string_type(chars, CollationId::UTF8MB4_BIN).nullable(true), Coercibility::Coercible))
        }
        F::JsonUnquote | F::JsonPretty => {
            Ok((value::json::convert::text_type().nullable(true), Coercibility::Coercible))
        }
        F::JsonType => Ok((string_type(17, CollationId::UTF8MB4_BIN).nullable(true), Coercibility::Coercible)),
        F::JsonContains | F::JsonContainsPath | F::JsonValid => c.null_num(longlong(21)),
        F::JsonOverlaps | F::JsonMemberOf | F::InElements | F::JsonSchemaValid => c.null_num(longlong(1)),
        F::JsonDepth | F::JsonLength | F::JsonStorageSize | F::JsonStorageFree => c.null_num(longlong(21)),
        // its type is what RETURNING says
        F::JsonValue(..) => Ok((c.a0(), Coercibility::Implicit)),
        _ => return Ok(None),
    };
    t.map(Some)
}
