use super::*;

fn ok(args: &[&str]) -> Options {
    let mut all = vec!["--no-defaults".to_owned()];
    all.extend(args.iter().map(|a| (*a).to_owned()));
    load(&all).unwrap()
}

fn err(args: &[&str]) -> String {
    let mut all = vec!["--no-defaults".to_owned()];
    all.extend(args.iter().map(|a| (*a).to_owned()));
    load(&all).err().expect("an error")
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
    assert_eq!(ok(&["--transaction-isolation=READ-COMMITTED"]).globals.num(Var::transaction_isolation), 1);
    assert!(ok(&["--skip-networking"]).globals.bool(Var::skip_networking));
    assert_eq!(ok(&["--help"]).action, Action::Help);
}

#[test]
fn errors() {
    assert!(err(&["--nonsense=1"]).contains("nonsense"));
    assert!(err(&["--port"]).contains("requires an argument"));
    assert!(err(&["--port=abc"]).contains("not valid"));
    assert!(err(&["extra"]).contains("extra"));
    assert!(err(&["--log-bin=x"]).contains("not supported"));
    assert!(err(&["--gtid-mode=ON"]).contains("supports only"));
    assert!(err(&["--bind-address=nowhere"]).contains("nowhere"));
    assert!(err(&["--port=1", "--defaults-file=x"]).contains("first"));
    assert!(load(&["--defaults-file=/does/not/exist".to_owned()]).is_err());
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
    let o = load(&[file.clone(), "--port=3311".to_owned()]).unwrap();
    assert_eq!(o.globals.num(Var::port), 3311);
    assert_eq!(o.globals.string(Var::socket), "/tmp/a b#c.sock");
    assert_eq!(o.globals.string(Var::init_file), "x y");
    assert_eq!(o.globals.num(Var::max_connections), 9);
    assert!(o.globals.bool(Var::skip_networking));
    std::fs::write(dir.join("my.cnf"), "!include my.cnf\n").unwrap();
    assert!(load(std::slice::from_ref(&file)).err().unwrap().contains("nested"));
    std::fs::write(dir.join("my.cnf"), "[mysqld]\nfoo=1\n").unwrap();
    assert!(load(&[file]).err().unwrap().contains("my.cnf:2"));
    std::fs::remove_dir_all(&dir).unwrap();
}

#[test]
fn addresses() {
    assert_eq!(listen_addresses("127.0.0.1, ::1", 3).unwrap().len(), 2);
    assert!(listen_addresses("*", 3).unwrap()[0].ip().is_unspecified());
    assert!(help_text().contains("--innodb-buffer-pool-size=#"));
}
