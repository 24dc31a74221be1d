//! The SHA-256 of a statement's normalised text: STATEMENT_DIGEST() and performance_schema's DIGEST.

/// In lower-case hex.
pub fn hex(text: &str) -> String {
    let hash = aws_lc_rs::digest::digest(&aws_lc_rs::digest::SHA256, text.as_bytes());
    base::hex::encode(hash.as_ref())
}
