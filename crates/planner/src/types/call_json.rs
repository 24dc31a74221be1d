//! Result types of the JSON functions.

use value::{CollationId, SqlType, TypeKind};

use super::call::{Call, Typed};
use super::{longlong, string_type};
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
        | F::JsonBool => {
            let never_null = matches!(f, F::JsonArray | F::JsonObject);
            Ok((SqlType::new(TypeKind::Json).nullable(!never_null), Coercibility::Implicit))
        }
        F::JsonQuote | F::JsonUnquote | F::JsonPretty => {
            Ok((value::json::convert::text_type().nullable(true), Coercibility::Implicit))
        }
        F::JsonType => Ok((string_type(51, CollationId::UTF8MB4_BIN).nullable(true), Coercibility::Implicit)),
        F::JsonContains
        | F::JsonContainsPath
        | F::JsonOverlaps
        | F::JsonMemberOf
        | F::InElements
        | F::JsonValid
        | F::JsonSchemaValid => c.null_num(longlong(1)),
        F::JsonDepth | F::JsonLength | F::JsonStorageSize | F::JsonStorageFree => c.null_num(longlong(10)),
        // its type is what RETURNING says
        F::JsonValue(..) => Ok((c.a0(), Coercibility::Implicit)),
        _ => return Ok(None),
    };
    t.map(Some)
}
