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
    let s = Settings::default().changed(&all, "", false).unwrap();
    assert_eq!((s.host.as_str(), s.port, s.log_file.as_str(), s.log_pos), ("h", 3307, "bin.000002", 157));
    assert_eq!(Settings::decode(&s.encode()), s);
    // a host that is named has no position, even the same
    assert_eq!(s.changed(&[("SOURCE_DELAY", n("5"))], "", false).unwrap().log_pos, 157);
    assert_eq!(s.changed(&[("SOURCE_HOST", t("h"))], "", false).unwrap().log_file, "");
    let both = [("SOURCE_AUTO_POSITION", n("1")), ("SOURCE_LOG_POS", n("4"))];
    assert!(s.changed(&both, "", false).unwrap_err().is(ErrorCode::BAD_REPLICA_AUTO_POSITION));
    let auto = [("SOURCE_AUTO_POSITION", n("1"))];
    assert!(s.changed(&auto, "", true).unwrap_err().is(ErrorCode::AUTO_POSITION_REQUIRES_GTID_MODE_NOT_OFF));
    let relay = [("RELAY_LOG_FILE", t("r.000001"))];
    assert!(s.changed(&relay, "", false).is_err() && s.changed(&[("RELAY_LOG_FILE", t(""))], "", false).is_ok());
    assert!(s.changed(&[("SOURCE_PORT", n("70000"))], "", false).is_err());
    assert!(s.changed(&[("SOURCE_HOST", t(""))], "", false).unwrap_err().is(ErrorCode::WRONG_ARGUMENTS));
}

#[test]
fn accounts() {
    let with = |v: Setting| Settings::default().changed(&[("PRIVILEGE_CHECKS_USER", v)], "c", false);
    let account = |user: &str, host: &str| Setting::Account(user.to_owned(), host.to_owned());
    for (user, host) in [("a", "%"), ("a'b\\c\"\t\n@", "10.%"), ("é", "localhost")] {
        let s = with(account(user, host)).unwrap();
        assert_eq!(s.checks_user, Some((user.to_owned(), host.to_owned())));
        assert_eq!(Settings::decode(&s.encode()), s);
        assert_eq!(s.changed(&[("PRIVILEGE_CHECKS_USER", Setting::Null)], "c", false).unwrap(), Settings::default());
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
        Settings::default().changed(&[("REQUIRE_ROW_FORMAT", v)], "", false).map(|s| s.row_format)
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
        Settings::default()
            .changed(&[("SOURCE_COMPRESSION_ALGORITHMS", v)], "c", false)
            .map_err(|e| e.message().to_owned())
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
        Settings::default().changed(&[("SOURCE_ZSTD_COMPRESSION_LEVEL", v)], "", false).map(|s| s.zstd_level)
    };
    assert!(level("7") == Ok(7) && level("0") == Ok(3) && level("23").is_err());
}

#[test]
fn everything_is_kept() {
    let t = |s: &str| Setting::Text(s.to_owned());
    let n = |s: &str| Setting::Number(s.to_owned());
    let w = |s: &str| Setting::Word(s.to_owned());
    let all = [
        ("SOURCE_SSL_CAPATH", t("a")),
        ("SOURCE_SSL_CRL", t("b")),
        ("SOURCE_SSL_CRLPATH", t("c")),
        ("SOURCE_SSL_CIPHER", t("d\te")),
        ("SOURCE_TLS_VERSION", t("f")),
        ("SOURCE_TLS_CIPHERSUITES", t("")),
        ("REQUIRE_TABLE_PRIMARY_KEY_CHECK", w("GENERATE")),
        ("ASSIGN_GTIDS_TO_ANONYMOUS_TRANSACTIONS", t("3e11fa47-71ca-11e1-9e33-c80aa9429562")),
        ("GTID_ONLY", n("1")),
        ("IGNORE_SERVER_IDS", Setting::Numbers(vec![5, 3, 5])),
    ];
    let s = Settings { branch: "bin.000001:4".to_owned(), ..Settings::default() }.changed(&all, "", false).unwrap();
    assert_eq!(Settings::decode(&s.encode()), s);
    assert_eq!((s.tls_suites.as_deref(), s.ignored_ids.as_slice()), (Some(""), &[3, 5][..]));
    let local = [("ASSIGN_GTIDS_TO_ANONYMOUS_TRANSACTIONS", w("LOCAL")), ("SOURCE_TLS_CIPHERSUITES", Setting::Null)];
    let s = s.changed(&local, "", false).unwrap();
    assert_eq!((Settings::decode(&s.encode()).assign_gtids, s.tls_suites), (AssignGtids::Local, None));
}

#[test]
fn numbers_at_their_borders() {
    let with = |name: &'static str, n: &str| {
        Settings::default().changed(&[(name, Setting::Number(n.to_owned()))], "", false).map_err(|e| e.code())
    };
    assert_eq!(with("SOURCE_PORT", "65536").unwrap_err(), 1742);
    assert_eq!(with("SOURCE_PORT", "1.9").unwrap().port, 1);
    assert_eq!(with("SOURCE_DELAY", "2147483648").unwrap_err(), 1729);
    assert_eq!(with("SOURCE_RETRY_COUNT", "18446744073709551616").unwrap().retry_count, u64::MAX);
    for (n, ms) in [("0", 0), ("0.0009", 0), ("0.001", 1), ("1e3", 1_000_000), ("4294967", 4_294_967_000)] {
        assert_eq!(with("SOURCE_HEARTBEAT_PERIOD", n).unwrap().heartbeat, Some(ms), "{n}");
    }
    for n in ["4294967.001", "4294968", "1e300"] {
        assert_eq!(with("SOURCE_HEARTBEAT_PERIOD", n).unwrap_err(), 1624, "{n}");
    }
    let password = |length: usize| {
        let v = Setting::Text("\u{e4}".repeat(length));
        Settings::default().changed(&[("SOURCE_PASSWORD", v)], "", false).map(drop).map_err(|e| e.code())
    };
    assert_eq!((password(32), password(33)), (Ok(()), Err(3056)));
}
