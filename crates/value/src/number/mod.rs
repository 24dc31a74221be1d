//! Numbers and their text forms: DOUBLE and FLOAT as MySQL prints them, text read as a number.
