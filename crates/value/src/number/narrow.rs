//! A DOUBLE in a text column that is narrower than its text: MySQL does not cut the text but rounds the number, in whichever of the two forms shows more
//! digits of it (manual, "Type Conversion in Expression Evaluation"; seen on a server). Tested by the golden file `narrow_numbers` and below.

/// Significant digits without trailing zeros and the place of the point before them (0.0012: "12" and -2).
fn digits(v: f64, most: usize) -> (Vec<u8>, i32) {
    let shortest = format!("{v:e}");
    let count = shortest.bytes().take_while(|b| *b != b'e').filter(u8::is_ascii_digit).count();
    let text = if count > most { format!("{v:.*e}", most.saturating_sub(1)) } else { shortest };
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let mut out: Vec<u8> = mantissa.bytes().filter(u8::is_ascii_digit).collect();
    while out.len() > 1 && out.last() == Some(&b'0') {
        out.pop();
    }
    (out, exponent.parse::<i32>().unwrap_or(0) + 1)
}

/// Appends the text of `v` with at most `width` characters. `false`: not even the number's first digit and size fit; what is appended is then cut.
pub fn format_f64_within(v: f64, width: usize, out: &mut Vec<u8>) -> bool {
    if v == 0.0 {
        out.push(b'0');
        return width > 0;
    }
    let start = out.len();
    let room = width as i32 - i32::from(v < 0.0);
    let (all, point) = digits(v.abs(), room.max(1) as usize);
    if v < 0.0 {
        out.push(b'-');
    }
    // 0.00x in four characters has no digit, 1e-3 has one
    let plain = point <= room.max(1) && (point >= -1 || point == -2 && room != 4);
    let fits = match plain {
        true => plainly(v.abs(), point, all.len(), room, out),
        false => with_exponent(v.abs(), all, point, room, out),
    };
    if out.len() == start + 2 && out.get(start..) == Some(b"-0") {
        out.remove(start);
    }
    out.truncate(start + width);
    fits
}

/// `123.45`, `0.00123`: as many decimals as there is room for.
fn plainly(v: f64, point: i32, len: usize, room: i32, out: &mut Vec<u8>) -> bool {
    let have = (len as i32 - point).max(0);
    let decimals = have.min(room - point.max(1) - 1).max(0);
    let text = format!("{v:.*}", decimals as usize);
    let text = if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    out.extend_from_slice(text.as_bytes());
    // 0.5 is 0 in two characters, and too long for one
    room >= if point > 0 { 1 } else { 2 }
}

/// `1.2e-7`.
fn with_exponent(v: f64, all: Vec<u8>, point: i32, room: i32, out: &mut Vec<u8>) -> bool {
    let left = room - 1 - (point - 1).to_string().len() as i32 - i32::from(all.len() > 1);
    let (mantissa, point) = if left < all.len() as i32 { digits(v, left.max(1) as usize) } else { (all, point) };
    let (first, rest) = mantissa.split_first().map_or((b'0', &[][..]), |(f, r)| (*f, r));
    out.push(first);
    if !rest.is_empty() {
        out.push(b'.');
        out.extend_from_slice(rest);
    }
    out.push(b'e');
    out.extend_from_slice((point - 1).to_string().as_bytes());
    left > 0
}

#[cfg(test)]
mod tests {
    use super::format_f64_within;

    #[test]
    fn the_form_that_shows_more_digits() {
        let cases: [(f64, usize, &str, bool); 15] = [
            (0.001, 4, "1e-3", true),
            (9.99e9, 4, "1e10", true),
            (-0.5, 1, "0", false),
            (1234567.0, 5, "1.2e6", true),
            (1234567.0, 3, "1e6", false),
            (-300000.0, 4, "-3e5", true),
            (0.000123, 5, "1e-4", true),
            (99999.5, 5, "1e5", true),
            (1.55, 3, "1.6", true),
            (1.0 / 3.0, 5, "0.333", true),
            (1e100, 4, "1e10", false),
            (0.00123, 5, "0.001", true),
            (12345.67, 5, "12346", true),
            (0.04, 3, "0", true),
            (-0.04, 4, "0", true),
        ];
        for (v, width, text, fits) in cases {
            let mut out = Vec::new();
            assert_eq!(format_f64_within(v, width, &mut out), fits, "{v} in {width}");
            assert_eq!(String::from_utf8_lossy(&out), text, "{v} in {width}");
        }
    }
}
