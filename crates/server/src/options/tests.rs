use super::*;

fn ok(args: &[&str]) -> Options {
    let mut all = vec!["--no-defaults".to_owned()];
    all.extend(args.iter().map(|a| (*a).to_owned()));
    let o = load(&all);
    assert_eq!(o.problems, []);
    o
}

fn err(args: &[&str]) -> String {
    let mut all = vec!["--no-defaults".to_owned()];
    all.extend(args.iter().map(|a| (*a).to_owned()));
    let problems = load(&all).problems;
    assert!(!problems.is_empty(), "an error");
    problems.iter().map(|p| format!("MY-{:06} {}\n", p.code, p.text)).collect()
}

#[test]
fn forms() {
    let o = ok(&[
        "--port=3307",
        "--max_connections",
        "20",
        "--innodb-buffer-pool-size=1G",
        "--skip-innodb_stats_persistent",
    ]);
    assert_eq!(o.globals.num(Var::port), 3307);
    assert_eq!(o.globals.num(Var::max_connections), 20);
    assert_eq!(o.globals.num(Var::innodb_buffer_pool_size), 1 << 30);
    assert!(!o.globals.bool(Var::innodb_stats_persistent));
    let o = ok(&[
        "-P3308",
        "-h",
        "/x",
        "--local-infile",
        "--autocommit=off",
        "--loose-nonsense=1",
        "--skip-log-bin",
        "--ssl=0",
    ]);
    assert_eq!(o.globals.num(Var::port), 3308);
    assert_eq!(o.globals.string(Var::datadir), "/x");
    assert!(o.globals.bool(Var::local_infile) && !o.globals.bool(Var::autocommit) && !o.tls);
    assert_eq!(o.warnings.len(), 1);
    // of words the first is what is off (mysqld --skip-concurrent-insert: NEVER), and twice no is yes
    let word = |option: &str, name: &str| ok(&[option]).globals.get(Var::by_name(name).unwrap()).show();
    assert_eq!(word("--skip-concurrent-insert", "concurrent_insert"), "NEVER");
    assert_eq!(word("--enable-concurrent-insert", "concurrent_insert"), "AUTO");
    assert_eq!(word("--disable-innodb-doublewrite", "innodb_doublewrite"), "OFF");
    for (text, shown) in
        [("1", "ON"), ("0", "OFF"), ("TRUE", "ON"), ("false", "OFF"), ("on", "ON"), ("2", "DETECT_ONLY")]
    {
        assert_eq!(word(&format!("--innodb-doublewrite={text}"), "innodb_doublewrite"), shown);
    }
    assert_eq!(word("--skip-event-scheduler", "event_scheduler"), "OFF");
    assert_eq!(word("--skip-innodb-stats-persistent=0", "innodb_stats_persistent"), "ON");
    assert_eq!(word("--enable-innodb-stats-persistent=0", "innodb_stats_persistent"), "OFF");
    assert_eq!(ok(&["--transaction-isolation=READ-COMMITTED"]).globals.num(Var::transaction_isolation), 1);
    assert!(ok(&["--skip-networking"]).globals.bool(Var::skip_networking));
    assert_eq!(ok(&["--help"]).action, Action::Help);
}

#[test]
fn errors() {
    assert!(err(&["--nonsense=1"]).contains("nonsense"));
    assert!(err(&["--port"]).contains("requires an argument"));
    assert_eq!(ok(&["--event-scheduler=OFF", "--event-scheduler"]).globals.num(Var::event_scheduler), 1);
    assert!(err(&["--port=abc"]).contains("not valid"));
    assert!(err(&["extra"]).contains("extra"));
    assert!(err(&["--binlog-encryption=ON"]).contains("supports only"));
    assert!(err(&["--gtid-mode=ON"]).contains("requires ENFORCE_GTID_CONSISTENCY"));
    ok(&["--gtid-mode=ON", "--enforce-gtid-consistency=ON"]);
    assert!(err(&["--bind-address=nowhere"]).contains("nowhere"));
    assert!(err(&["--port=1", "--defaults-file=x"]).contains("first"));
    assert!(!load(&["--defaults-file=/does/not/exist".to_owned()]).problems.is_empty());
}

#[test]
fn a_build_without_instruments_refuses_what_would_need_them() {
    let (v, on, off) = (Var::performance_schema, Raw::Num(1), Raw::Num(0));
    let refused = [(v, &on, true), (v, &off, false), (Var::profiling, &on, false), (v, &on, false)]
        .map(|(v, raw, built)| recorded::is_not_built(v, raw, built).is_some());
    assert_eq!(refused, [false, false, false, true]);
    let built = probe::instruments::BUILT;
    assert_eq!(ok(&[]).globals.bool(v), built);
    assert!(!ok(&["--performance-schema=OFF"]).globals.bool(v));
    assert_eq!(ok(&["--loose-performance-schema=ON"]).globals.bool(v), built);
    if built {
        assert!(ok(&["--performance-schema"]).globals.bool(v));
    } else {
        assert!(err(&["--performance-schema"]).contains("without-instruments"));
    }
}

#[test]
fn binary_log() {
    let of = |args: &[&str]| {
        let b = ok(args).binary_log;
        (b.on, b.name)
    };
    assert_eq!(of(&[]), (true, None));
    assert_eq!(of(&["--log-bin"]), (true, None));
    assert_eq!(of(&["--log_bin=x/y"]), (true, Some("x/y".into())));
    assert_eq!(of(&["--log-bin=x", "--skip-log-bin"]), (false, None));
    assert_eq!(of(&["--log-bin=x", "--disable-log-bin"]), (false, None));
    assert_eq!(of(&["--skip-log-bin", "--log-bin=0"]), (true, Some("0".into())));
    let o = ok(&["--replicate-do-db=a", "--replicate_wild_do_table=b.%", "--replicate-do-db=c"]).binary_log.replicate;
    let pair = |n: &str, v: &str| (n.to_owned(), v.to_owned());
    assert_eq!(o, [pair("replicate-do-db", "a"), pair("replicate-wild-do-table", "b.%"), pair("replicate-do-db", "c")]);
    let b = ok(&["--binlog-do-db=a", "--binlog-do-db=b", "--binlog-ignore-db=c", "--log-bin-index=i"]).binary_log;
    assert_eq!((b.do_db, b.ignore_db, b.index), (vec!["a".into(), "b".into()], vec!["c".into()], Some("i".into())));
}

#[test]
fn option_file() {
    let dir = std::env::temp_dir().join(format!("evenkeel-cnf-{}", std::process::id()));
    std::fs::create_dir_all(dir.join("d")).unwrap();
    std::fs::write(
        dir.join("my.cnf"),
        "# comment\n[client]\nport=1\nnonsense\n[mysqld]\nport = 3310 # trailing\nsocket=\"/tmp/a b#c.sock\"\n\
         skip-networking\nloose-unknown_thing=5\ninit_file='x\\sy'\n[evenkeel]\nmax-connections=7\n!includedir d\n",
    )
    .unwrap();
    std::fs::write(dir.join("d/a.cnf"), "[server]\nmax_connections=9\n").unwrap();
    std::fs::write(dir.join("d/ignored.txt"), "garbage").unwrap();
    let file = format!("--defaults-file={}", dir.join("my.cnf").display());
    let o = load(&[file.clone(), "--port=3311".to_owned()]);
    assert_eq!(o.problems, []);
    assert_eq!(o.globals.num(Var::port), 3311);
    assert_eq!(o.globals.string(Var::socket), "/tmp/a b#c.sock");
    assert_eq!(o.globals.string(Var::init_file), "x y");
    assert_eq!(o.globals.num(Var::max_connections), 9);
    assert!(o.globals.bool(Var::skip_networking));
    std::fs::write(dir.join("my.cnf"), "!include my.cnf\n").unwrap();
    assert!(load(std::slice::from_ref(&file)).problems[0].text.contains("nested"));
    std::fs::write(dir.join("my.cnf"), "[mysqld]\nfoo=1\n").unwrap();
    assert!(load(&[file]).problems[0].text.contains("my.cnf:2"));
    std::fs::remove_dir_all(&dir).unwrap();
}

#[test]
fn addresses() {
    assert_eq!(listen_addresses("127.0.0.1, ::1", 3).unwrap().len(), 2);
    assert!(listen_addresses("*", 3).unwrap()[0].ip().is_unspecified());
    let text = help_text(&ok(&["--verbose", "--help"]), "mysqld");
    assert!(text.contains("--innodb-buffer-pool-size=#"));
}

#[test]
fn what_only_prints_comes_first() {
    for (asked, action) in [
        ("--help", Action::Help),
        ("-?", Action::Help),
        ("--version", Action::Version),
        ("-V", Action::Version),
        ("--print-defaults", Action::PrintDefaults),
        ("--validate-config", Action::ValidateConfig),
        ("--initialize-insecure", Action::InitializeInsecure),
    ] {
        assert_eq!(load(&["--no-defaults".into(), "--nonsense=1".into(), asked.into()]).action, action);
    }
    let o =
        ok(&["-v", "-?", "--datadir=/x/y", "--mysqlx=0", "--skip-networking", "--user=mysql", "--max-connections=7"]);
    assert_eq!(o.action, Action::VerboseHelp);
    let text = help_text(&o, "mysqld");
    let value = |name: &str| {
        let row = text.lines().find(|l| l.split(' ').next() == Some(name)).unwrap_or_else(|| panic!("no {name}"));
        row.get(60..).unwrap_or_default().trim().to_owned()
    };
    for (name, shown) in [
        ("datadir", "/x/y/"),
        ("skip-networking", "TRUE"),
        ("autocommit", "TRUE"),
        ("innodb-undo-log-encrypt", "FALSE"),
        ("max-connections", "7"),
        ("user", "mysql"),
        ("secure-file-priv", "NULL"),
        ("admin-address", "(No default value)"),
        ("log-bin-index", "(No default value)"),
        ("upgrade", "AUTO"),
    ] {
        assert_eq!(value(name), shown, "{name}");
    }
    assert!(value("pid-file").starts_with("/x/y/"));
}

#[test]
fn everything_wrong_is_told_at_once() {
    let said =
        err(&["--max_conections=5", "--port=x", "--nonsense", "--skip-networkin", "--tx_isolation=SERIALIZABLE"]);
    for part in [
        "MY-000067",
        "'max_conections=5'",
        "max_connections'?",
        "'--nonsense'",
        "MY-000068",
        "transaction_isolation",
        "value 'x'",
    ] {
        assert!(said.contains(part), "{part} is not in {said}");
    }
    assert_eq!(said.lines().count(), 5);
}

#[test]
fn options_that_mean_nothing_here() {
    for a in [
        "--mysqlx=ON",
        "--mysqlx_port=33060",
        "--loose-mysqlx-bind-address=127.0.0.1",
        "--plugin-load-add=mysql_native_password.so",
        "--plugin-load=semisync_source.so;mysql_clone.so",
        "--tc-heuristic-recover=COMMIT",
        "--upgrade=MINIMAL",
        "--innodb-file-per-table=0",
        "--memlock",
        "--lc-messages=de_DE",
        "--loose-keyring_file_data=/x",
        "--loose-plugin-load-add=keyring_file.so",
        "--loose-innodb-redo-log-encrypt=ON",
    ] {
        let o = ok(&[a]);
        assert!(!o.warnings.is_empty(), "{a}");
        assert!(o.warnings[0].contains("command line"), "{a}: {:?}", o.warnings);
    }
    for a in [
        "--mysqlx=0",
        "--skip-mysqlx",
        "--skip-log-bin",
        "--symbolic-links=0",
        "--console",
        "--authentication_policy=* ,,",
        "--skip-symbolic-links",
        "--keyring=OFF",
    ] {
        assert_eq!(ok(&[a]).warnings, Vec::<String>::new(), "{a}");
    }
    assert_eq!(ok(&["--event-scheduler=OFF"]).globals.num(Var::event_scheduler), 0);
}

#[test]
fn what_would_protect_stops_the_start() {
    for a in [
        "--keyring-file-data=/x",
        "--early-plugin-load=keyring_file.so",
        "--plugin-load-add=connection_control.so",
        "--plugin-load-add=a.so;validate_password=validate_password.so",
        "--connection_control_failed_connections_threshold=3",
        "--audit-log-file=x",
        "--mysql-firewall-mode=ON",
        "--validate_password.length=10",
        "--innodb-redo-log-encrypt=ON",
        "--default-table-encryption=ON",
        "--chroot=/x",
        "--sysdate-is-now",
    ] {
        let said = err(&[a]);
        assert!(said.contains("command line"), "{a}: {said}");
    }
}

#[test]
fn switches() {
    let o = ok(&["--skip-grant-tables", "--daemonize", "--mysql-native-password=ON"]);
    assert!(o.skip_grants && o.globals.bool(Var::skip_networking) && o.daemonize);
    assert_eq!(o.native_password, Some(true));
    assert_eq!(ok(&["--skip-mysql-native-password"]).native_password, Some(false));
    let o = ok(&[]);
    assert!(!o.skip_grants && !o.daemonize && o.native_password.is_none());
}
