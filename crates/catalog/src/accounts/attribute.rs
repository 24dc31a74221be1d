//! The user attribute of an account: a JSON object that COMMENT and ATTRIBUTE add to (manual, "CREATE USER Comment and Attribute Options").

use serde_json::{Map, Value};

/// `old` with the members of `patch`; NULLs remove members, as in JSON_MERGE_PATCH. `None`: the patch is no JSON object.
pub fn merged(old: Option<&str>, patch: &[u8]) -> Option<String> {
    let Value::Object(patch) = serde_json::from_slice(patch).ok()? else { return None };
    let mut all = match old.and_then(|t| serde_json::from_str(t).ok()) {
        Some(Value::Object(o)) => o,
        _ => Map::new(),
    };
    merge(&mut all, patch);
    let document = value::json::parse_document(Value::Object(all).to_string().as_bytes()).ok()?.ok()?;
    let mut out = Vec::new();
    value::json::print::compact(value::json::Ref::trusted(&document), &mut out);
    String::from_utf8(out).ok()
}

fn merge(into: &mut Map<String, Value>, patch: Map<String, Value>) {
    for (key, value) in patch {
        match value {
            Value::Null => drop(into.remove(&key)),
            Value::Object(inner) => {
                let mut old = match into.remove(&key) {
                    Some(Value::Object(o)) => o,
                    _ => Map::new(),
                };
                merge(&mut old, inner);
                into.insert(key, Value::Object(old));
            }
            other => drop(into.insert(key, other)),
        }
    }
}

/// The object of a COMMENT.
pub fn comment(text: &str) -> String {
    Value::Object(Map::from_iter([("comment".to_owned(), text.into())])).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_are_merged() {
        let one = merged(None, comment("a\"b").as_bytes()).unwrap();
        assert_eq!(one, r#"{"comment": "a\"b"}"#);
        let two = merged(Some(&one), br#"{"x": {"y": 1, "z": null}, "b": [1]}"#).unwrap();
        assert_eq!(two, r#"{"b": [1], "x": {"y": 1}, "comment": "a\"b"}"#);
        assert_eq!(merged(Some(&two), br#"{"comment": null, "x": {"y": null}}"#).unwrap(), r#"{"b": [1], "x": {}}"#);
        assert_eq!(merged(None, b"[1]"), None);
    }
}
