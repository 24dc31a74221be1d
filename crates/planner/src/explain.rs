//! EXPLAIN: rows of the traditional format and the text of the TREE format.

/// Rows of the traditional format, twelve cells each.
pub fn rows(_plan: &crate::plan::Plan) -> Vec<Vec<Option<String>>> {
    Vec::new()
}

/// Text of the TREE format.
pub fn tree(_plan: &crate::plan::Plan) -> String {
    String::new()
}
