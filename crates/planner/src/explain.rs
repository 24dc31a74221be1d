//! EXPLAIN: rows of the traditional format and the text of the TREE format.
