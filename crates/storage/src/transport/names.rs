//! Names of schemas and tables as names of files, as MySQL has them (manual, "Mapping of Identifiers to File Names"):
//! letters, digits and `_` of ASCII stand for themselves, letters of some other scripts are `@` and two characters,
//! everything else is `@` and four hexadecimal digits; `@@@` follows what Windows keeps for devices. The pairs are
//! read off the files that MySQL 9.7 makes. Pure code; tested below.

/// First code point, then two characters for each: `..` where there is no pair.
const PAIRS: [(u32, &str); 10] = [
    (
        0x00C0,
        "0G0H0I0J0K0L0M0N0O0P0Q0R0S0T0U0V0W0X0Y0Z1G1H1I..1K1L1M1N1O1P1Q1j0g0h0i0j0k0l0m0n0o0p0q0r0s0t0u0v0w0x\
         0y0z1g1h1i..1k1l1m1n1o1p1q1r1S1s1T1t1U1u1V1v1W1w1X1x1Y1y1Z1z2G2g2H2h2I2i2J2j2K2k2L2l2M2m2N2n2O2o2P2p\
         2Q2q2R2r2S2s2T2t2U2u2V2v..2w2X2x2Y2y2Z2z3g3H3h3I3i3J3j3K3k3L3l3M3m3N3n3O3o3p3Q3q3R3r3S3s3T3t3U3u3V3v\
         3W3w3X3x3Y3y3Z3z4G4g4H4h4I4i4J4j4K4k4L4l4M4m4N4n4O4o4P4p4Q4q4R4r4S4s1R4T4t4U4u4V4v4w",
    ),
    (
        0x0180,
        "gaQfHahaIaiaRfJajaTfUfKakalaZbWfYfMamaJgMgnaSgRgOaoapaqaYgHhraKhSasaTataUauaVhVavaYhwaxaYayaJiZazaLi\
         MiGbgbHbhbTiIbibjbkbNbnbmb..........Ob..obPb..pbQb..qbRbrbSbsbTbtbUbubVbvbWbwbXbxbYbybzbGcgcHchcIcic\
         JcjcKckcLclcMcmcNcncOcocpcQc..qcRcrcNa..ScscTctcUcucVcvcWcwcXcxcYcycZczcGdgdHdhdIdidJdjdKdkdLdldMdmd\
         NdndOdodPdpdQdqdRdrdRasdTdtdUdudVdvdWdwdXdxdYdydZdzdGegeHeheiejekelemeneOePepePaQereseVi............\
         ................nfofpfqfrfsftfufvfwfxfyfzfgghgigjgkglgmgngogpgqgrgsgtgugvgwgxgygzgghhhihjhkhlhmhnhoh\
         phqhrhshthuhvhwhxhyhzhgihiiijikiliminioipiqirisitiuiviwixiyizigjhjijjjkjljmjnjojpjqjrjsjtjujvjwjxjyj\
         zjgkhkik",
    ),
    (
        0x0370,
        "............................................6G..6H6I6J..7S..7T7U5y6L7W6N6O6P6Q6R7X6T8W6V6W6X6Y6Z8I7H\
         ..8Y7K7L8H7N7O7P7Q7R6g6h6i6j6k6l6m6n6o6p6q6r6s6t6u6v6w6x6y6z7g7h7i7j7k7l7m7n7o7p7q7r7s7t7u..7w7x7Y7Z\
         8G8h8i8j..8k8L8l8M8m8N8n8O8o8P8p8Q8q8R8r8S8s8T8t8U8u8V8v8w8x8y8z..9g9h..9i....9j9k9L9M9N",
    ),
    (
        0x0400,
        "S1T1U1V1W1X1Y1Z1G2H2I2J2K2L2M2N2G0H0I0J0K0L0M0N0O0P0Q0R0S0T0U0V0W0X0Y0Z0G1H1I1J1K1L1M1N1O1P1Q1R1g0h0\
         i0j0k0l0m0n0o0p0q0r0s0t0u0v0w0x0y0z0g1h1i1j1k1l1m1n1o1p1q1r1s1t1u1v1w1x1y1z1g2h2i2j2k2l2m2n2O2o2P2p2\
         Q2q2R2r2S2s2T2t2U2u2V2v2W2w2X2x2Y2y2Z2z2G3g3H3h3I3i3J3j3K3k3................M3m3N3n3O3o3P3p3Q3q3R3r3\
         S3s3T3t3U3u3V3v3W3w3X3x3Y3y3Z3z3G4g4H4h4I4i4J4j4K4k4L4l4M4m4N4n4O4o4P4p4Q4q4R4r4S4s4T4U4u4V4v4W4w4X4\
         x4Y4y4Z4z4G5g5..I5i5J5j5K5k5L5l5M5m5N5n5O5o5P5p5Q5q5R5r5S5s5T5t5U5u5V5v5W5w5X5x5Y5y5Z5z5G6g6H6h6I6i6\
         ............P6p6Q6q6R6r6S6s6T6t6U6u6V6v6W6w6",
    ),
    (
        0x0530,
        "..H7I7J7K7L7M7N7O7P7Q7R7S7T7U7V7W7X7Y7Z7G8H8I8J8K8L8M8N8O8P8Q8R8S8T8U8V8W8X8......................h7\
         i7j7k7l7m7n7o7p7q7r7s7t7u7v7w7x7y7z7g8h8i8j8k8l8m8n8o8p8q8r8s8t8u8v8w8x8",
    ),
    (
        0x1E00,
        "GlglHlhlIlilJljlKlklLlllMlmlNlnlOlolPlplQlqlRlrlSlslTltlUlulVlvlWlwlXlxlYlylZlzlGmgmHmhmImimJmjmKmkm\
         LmlmMmmmNmnmOmomPmpmQmqmRmrmSmsmTmtmUmumVmvmWmwmXmxmYmymZmzmGngnHnhnIninJnjnKnknLnlnMnmnNnnnGponPnpn\
         QnqnRnrnSnsnTntnUnunVnvnWnwnXnxnYnynZnznGogoHohoIoioJojoKokoLoloMomoNonoOoooPopoQoqoRoroSosoTotoUouo\
         vowoxoyozogp........LplpMpmpNpnpOpopPpppQpqpRprpSpspTptpUpupVpvpWpwpXpxpYpypZpzpGqgqHqhqIqiqJqjqKqkq\
         LqlqMqmqNqnqOqoqPqpqQqqqRqrqSqsqTqtqUquqVqvqWqwqXqxqYqyqZqzqGrgrHrhrIrirJrjrKrkrLrlrMrmrNrnrOrorPrpr",
    ),
    (
        0x1F00,
        "gshsisjskslsmsnsGsHsIsJsKsLsMsNsospsqsrsssts....OsPsQsRsSsTs....yszsgthtitjtktltYsZsGtHtItJtKtLtmtnt\
         otptqtrtstttMtNtOtPtQtRtStTtutvtwtxtytzt....UtVtWtXtYtZt....kulumunuoupuquru..Lu..Nu..Pu..Ruwuxuyuzu\
         gvhvivjvWuXuYuZuGvHvIvJvkvlvmvnvovpvqvrvsvtvuvvvwvxv....gwhwiwjwkwlwmwnwGwHwIwJwKwLwMwNwowpwqwrwswtw\
         uwvwOwPwQwRwSwTwUwVwwwxwywzwgxhxixjxWwXwYwZwGxHxIxJxkxlxmxnxox..qxrxKxLxKvLvNx..........sxtxux..wxxx\
         MvNvOvPvTx......yxzxgyhy....kylyYxZxQvRv........nyoypyqyrysytyuyNyOyUvVvSy..........xyyy....hzizSvTv\
         WvXvYy",
    ),
    (0x2160, "G9H9I9J9K9L9M9N9O9P9Q9R9S9T9U9V9g9h9i9j9k9l9m9n9o9p9q9r9s9t9u9v9"),
    (
        0x24B6,
        "@A@B@C@D@E@F@G@H@I@J@K@L@M@N@O@P@Q@R@S@T@U@V@W@X@Y@Z@a@b@c@d@e@f@g@h@i@j@k@l@m@n@o@p@q@r@s@t@u@v@w@x\
         @y@z",
    ),
    (
        0xFF21,
        "A@B@C@D@E@F@G@H@I@J@K@L@M@N@O@P@Q@R@S@T@U@V@W@X@Y@Z@............a@b@c@d@e@f@g@h@i@j@k@l@m@n@o@p@q@r@\
         s@t@u@v@w@x@y@z@",
    ),
];

/// Names of devices.
const DEVICES: [&str; 22] = [
    "CON", "PRN", "AUX", "NUL", "COM1", "COM2", "COM3", "COM4", "COM5", "COM6", "COM7", "COM8", "COM9", "LPT1", "LPT2",
    "LPT3", "LPT4", "LPT5", "LPT6", "LPT7", "LPT8", "LPT9",
];

/// Where the two files of a table are, in the data directory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pair {
    /// Of the schema.
    pub folder: String,
    /// The tablespace.
    pub ibd: String,
    /// What it is.
    pub cfg: String,
}

impl Pair {
    /// Of this table.
    #[must_use]
    pub fn of(schema: &str, table: &str) -> Pair {
        let (folder, table) = (file_name(schema), file_name(table));
        Pair { ibd: format!("{folder}/{table}.ibd"), cfg: format!("{folder}/{table}.cfg"), folder }
    }
}

fn pair(code: u32) -> Option<&'static str> {
    let of = |(first, all): &(u32, &'static str)| {
        let at = 2 * usize::try_from(code.checked_sub(*first)?).ok()?;
        all.get(at..at + 2)
    };
    PAIRS.iter().find_map(of).filter(|p| *p != "..")
}

/// The name of a file.
#[must_use]
pub fn file_name(name: &str) -> String {
    let mut out = part_of_file_name(name);
    if DEVICES.iter().any(|d| d.eq_ignore_ascii_case(name)) {
        out.push_str("@@@");
    }
    out
}

/// A name inside that of a file: a relay log's channel.
#[must_use]
pub fn part_of_file_name(name: &str) -> String {
    use std::fmt::Write;
    let mut out = String::with_capacity(name.len());
    for c in name.chars() {
        if c.is_ascii_alphanumeric() || c == '_' {
            out.push(c);
        } else if let Some(p) = pair(u32::from(c)) {
            out.push('@');
            out.push_str(p);
        } else {
            let _ = write!(out, "@{:04x}", u32::from(c));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::file_name;

    #[test]
    fn as_mysql_calls_them() {
        for (name, file) in [
            ("t1", "t1"),
            ("a-b/c.d \u{e9}#x", "a@002db@002fc@002ed@0020@0p@0023x"),
            ("\u{d7}\u{c0}\u{410}\u{4e00}", "@00d7@0G@G0@4e00"),
            ("con", "con@@@"),
            ("COM1", "COM1@@@"),
            ("com0", "com0"),
            ("a.b", "a@002eb"),
            ("..", "@002e@002e"),
            ("\u{24b6}\u{ff21}", "@@A@A@"),
        ] {
            assert_eq!(file_name(name), file, "{name}");
        }
    }
}
