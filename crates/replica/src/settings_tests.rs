//! Unit tests of [`crate::settings`].

use super::*;

#[test]
fn options() {
    let t = |s: &str| Setting::Text(s.to_owned());
    let n = |s: &str| Setting::Number(s.to_owned());
    let all = [
        ("SOURCE_HOST", t("h")),
        ("SOURCE_PORT", n("3307")),
        ("SOURCE_LOG_FILE", t("bin.000002")),
        ("SOURCE_LOG_POS", n("157")),
    ];
    let s = Settings::default().changed(&all, "").unwrap();
    assert_eq!((s.host.as_str(), s.port, s.log_file.as_str(), s.log_pos), ("h", 3307, "bin.000002", 157));
    assert_eq!(Settings::decode(&s.encode()), s);
    // the same host keeps its position, another has none
    assert_eq!(s.changed(&[("SOURCE_DELAY", n("5"))], "").unwrap().log_pos, 157);
    assert_eq!(s.changed(&[("SOURCE_HOST", t("other"))], "").unwrap().log_file, "");
    let both = [("SOURCE_AUTO_POSITION", n("1")), ("SOURCE_LOG_POS", n("4"))];
    assert!(s.changed(&both, "").unwrap_err().is(ErrorCode::BAD_REPLICA_AUTO_POSITION));
    assert!(s.changed(&[("GTID_ONLY", n("1"))], "").is_err() && s.changed(&[("GTID_ONLY", n("0"))], "").is_ok());
    assert!(s.changed(&[("SOURCE_PORT", n("70000"))], "").is_err());
    assert!(s.changed(&[("SOURCE_HOST", t(""))], "").unwrap_err().is(ErrorCode::WRONG_ARGUMENTS));
}

#[test]
fn accounts() {
    let with = |v: Setting| Settings::default().changed(&[("PRIVILEGE_CHECKS_USER", v)], "c");
    let account = |user: &str, host: &str| Setting::Account(user.to_owned(), host.to_owned());
    for (user, host) in [("a", "%"), ("a'b\\c\"\t\n@", "10.%"), ("é", "localhost")] {
        let s = with(account(user, host)).unwrap();
        assert_eq!(s.checks_user, Some((user.to_owned(), host.to_owned())));
        assert_eq!(Settings::decode(&s.encode()), s);
        assert_eq!(s.changed(&[("PRIVILEGE_CHECKS_USER", Setting::Null)], "c").unwrap(), Settings::default());
    }
    let anonymous = with(account("", "localhost")).unwrap_err();
    assert!(anonymous.is(ErrorCode::CLIENT_PRIVILEGE_CHECKS_USER_CANNOT_BE_ANONYMOUS));
    // what is damaged is never nobody
    for line in ["@", "61", "6@25", "zz@25", "61@2", "é@25"] {
        assert!(Settings::decode(&format!("checks_user\t{line}\n")).checks_user.is_some(), "{line}");
    }
    assert_eq!(Settings::decode("checks_user\t\n").checks_user, None);
    let format = |n: &str| {
        let v = Setting::Number(n.to_owned());
        Settings::default().changed(&[("REQUIRE_ROW_FORMAT", v)], "").map(|s| s.row_format)
    };
    assert!(format("1").unwrap() && !format("0").unwrap());
    for bad in ["2", "256", "1.0"] {
        assert!(format(bad).is_err(), "{bad}");
    }
}

#[test]
fn compression() {
    let with = |list: &str| {
        let v = Setting::Text(list.to_owned());
        Settings::default().changed(&[("SOURCE_COMPRESSION_ALGORITHMS", v)], "c").map_err(|e| e.message().to_owned())
    };
    for good in ["zlib", "zstd,zlib,uncompressed", "ZSTD", "zstd,", "zstd,zstd"] {
        assert_eq!(with(good).unwrap().compression, good);
    }
    // as MySQL says it
    assert_eq!(with("").unwrap_err(), "Invalid SOURCE_COMPRESSION_ALGORITHMS '' for channel 'c'.");
    assert_eq!(with("zstd, zlib").unwrap_err(), "Invalid SOURCE_COMPRESSION_ALGORITHMS ' zlib' for channel 'c'.");
    let long =
        "Specified compression algorithm list 'zstd,zlib,zlib,uncompressed' exceeds total count of 3 for channel 'c'.";
    assert_eq!(with("zstd,zlib,zlib,uncompressed").unwrap_err(), long);
    let level = |n: &str| {
        let v = Setting::Number(n.to_owned());
        Settings::default().changed(&[("SOURCE_ZSTD_COMPRESSION_LEVEL", v)], "").map(|s| s.zstd_level)
    };
    assert!(level("7") == Ok(7) && level("0") == Ok(3) && level("23").is_err());
}
