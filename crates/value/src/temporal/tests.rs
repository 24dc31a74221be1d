use super::calendar::*;
use super::interval::*;
use super::pattern::*;
use super::*;
use proptest::prelude::*;

fn d(y: u32, m: u32, day: u32) -> Date {
    Date::new(y, m, day)
}

fn dt(s: &str) -> DateTime {
    parse::parse_datetime(s.as_bytes(), DateFlags::LAX).unwrap().value
}

fn text(v: DateTime) -> String {
    let mut out = Vec::new();
    format::format_datetime(v, if v.micro() > 0 { 6 } else { 0 }, &mut out);
    String::from_utf8(out).unwrap()
}

#[test]
fn manual_examples() {
    assert_eq!(to_days(d(1995, 5, 1)), 728779);
    assert_eq!(to_days(d(2007, 10, 7)), 733321);
    assert_eq!(to_days(d(0, 1, 1)), 1);
    assert_eq!(from_days(730669), d(2000, 7, 3));
    assert_eq!(weekday(d(2008, 2, 3)), 6);
    assert_eq!(day_of_year(d(2007, 2, 3)), 34);
    assert_eq!(week(d(2008, 2, 20), 0).0, 7);
    assert_eq!(week(d(2008, 2, 20), 1).0, 8);
    assert_eq!(week(d(2008, 12, 31), 1).0, 53);
    assert_eq!(week(d(2000, 1, 1), 0), (0, 2000));
    assert_eq!(week(d(2000, 1, 1), 2), (52, 1999));
    assert_eq!(week(d(1987, 1, 1), 2), (52, 1986));
    assert_eq!(week(d(2024, 12, 30), 3), (1, 2025));
    assert_eq!(last_day(d(2004, 2, 5)), Some(d(2004, 2, 29)));
    assert_eq!(make_date(2011, 32), Some(d(2011, 2, 1)));
    assert_eq!(make_date(2011, 0), None);
    assert_eq!(months_to_period(period_to_months(200801) + 2), 200803);
    assert_eq!(period_to_months(200802) - period_to_months(200703), 11);
}

#[test]
fn weeks_agree_with_iso() {
    for day in 700_000..740_000 {
        let date = from_days(day);
        let c = jiff::civil::date(date.year() as i16, date.month() as i8, date.day() as i8);
        let iso = c.iso_week_date();
        assert_eq!(week(date, 3), (iso.week() as u32, iso.year() as u32));
        assert_eq!(weekday(date), c.weekday().to_monday_zero_offset() as u32);
        assert_eq!(day_of_year(date), c.day_of_year() as u32);
    }
}

#[test]
fn intervals() {
    let add = |v: &str, i: Interval| add_interval(dt(v), i).map(text);
    let n = |n, u| Interval::from_count(n, u).unwrap();
    let t = |s: &str, u| Interval::from_text(s.as_bytes(), u).unwrap();
    for (v, i, r) in [
        ("2018-12-31 23:59:59", n(1, Unit::Second), "2019-01-01 00:00:00"),
        ("2018-12-31 23:59:59", n(1, Unit::Day), "2019-01-01 23:59:59"),
        ("2100-12-31 23:59:59", t("1:1", Unit::MinuteSecond), "2101-01-01 00:01:00"),
        ("2025-01-01 00:00:00", t("-1 1:1:1", Unit::DaySecond), "2024-12-30 22:58:59"),
        ("1900-01-01 00:00:00", t("-1 10", Unit::DayHour), "1899-12-30 14:00:00"),
        ("1992-12-31 23:59:59.000002", t("1.999999", Unit::SecondMicrosecond), "1993-01-01 00:00:01.000001"),
        ("1992-12-31 23:59:59", t("1.5", Unit::SecondMicrosecond), "1993-01-01 00:00:00.500000"),
        ("2019-01-30", n(1, Unit::Month), "2019-02-28 00:00:00"),
        ("2020-02-29", n(-1, Unit::Year), "2019-02-28 00:00:00"),
        ("2020-02-29", t("1-2", Unit::YearMonth), "2021-04-29 00:00:00"),
        ("2020-05-31", n(2, Unit::Quarter), "2020-11-30 00:00:00"),
    ] {
        assert_eq!(add(v, i).as_deref(), Some(r), "{v} {i:?}");
    }
    assert_eq!(add("9999-12-31", n(1, Unit::Day)), None);
    assert_eq!(add("0001-01-01", n(-1000, Unit::Year)), None);
    assert_eq!(add("2020-00-01", n(1, Unit::Day)), None);
    assert_eq!(Interval::from_text(b"1:2:3", Unit::MinuteSecond), None);
    assert_eq!(timestamp_diff(Unit::Month, dt("2003-02-01"), dt("2003-05-01")), Some(3));
    assert_eq!(timestamp_diff(Unit::Year, dt("2002-05-01"), dt("2001-01-01")), Some(-1));
    assert_eq!(timestamp_diff(Unit::Minute, dt("2003-02-01"), dt("2003-05-01 12:05:55")), Some(128885));
    let v = dt("2019-07-02 01:02:03.000123");
    assert_eq!(extract(Unit::YearMonth, v.date(), v.time(), 0), 201907);
    assert_eq!(extract(Unit::DayMinute, v.date(), v.time(), 0), 20102);
    assert_eq!(extract(Unit::Microsecond, v.date(), v.time(), 0), 123);
}

#[test]
fn patterns() {
    let f = |v: &str, fmt: &str| {
        let v = dt(v);
        let mut out = Vec::new();
        date_format(fmt.as_bytes(), FormatSource { date: v.date(), time: v.time(), time_only: false }, &mut out)
            .map(|_| String::from_utf8(out).unwrap())
    };
    assert_eq!(f("2009-10-04 22:23:00", "%W %M %Y").as_deref(), Some("Sunday October 2009"));
    assert_eq!(f("1900-10-04 22:23:00", "%D %y %a %d %m %b %j").as_deref(), Some("4th 00 Thu 04 10 Oct 277"));
    assert_eq!(f("1997-10-04 22:23:00", "%H %k %I %r %T %S %w").as_deref(), Some("22 22 10 10:23:00 PM 22:23:00 00 6"));
    assert_eq!(f("1999-01-01", "%X %V").as_deref(), Some("1998 52"));
    assert_eq!(f("2006-06-00", "%d").as_deref(), Some("00"));
    assert_eq!(f("2006-00-00", "%M"), None);
    let p = |s: &str, fmt: &str| str_to_date(s.as_bytes(), fmt.as_bytes()).map(|(v, left)| (text(v), left));
    let yes = |t: &str| Some((t.to_string(), false));
    assert_eq!(p("01,5,2013", "%d,%m,%Y"), yes("2013-05-01 00:00:00"));
    assert_eq!(p("May 1, 2013", "%M %d,%Y"), yes("2013-05-01 00:00:00"));
    assert_eq!(p("a09:30:17", "a%h:%i:%s"), yes("0000-00-00 09:30:17"));
    assert_eq!(p("a09:30:17", "%h:%i:%s"), None);
    assert_eq!(p("09:30:17a", "%h:%i:%s"), Some(("0000-00-00 09:30:17".into(), true)));
    assert_eq!(p("200442 Monday", "%X%V %W"), yes("2004-10-18 00:00:00"));
    assert_eq!(p("2004 100", "%Y %j"), yes("2004-04-09 00:00:00"));
    assert_eq!(p("11:12:13.5 PM", "%h:%i:%s.%f %p"), yes("0000-00-00 23:12:13.500000"));
    assert_eq!(p("2013-13-01", "%Y-%m-%d"), None);
    assert_eq!(format_parts(b"%Y %f"), FormatParts { date: true, time: true, micros: true });
}

#[test]
fn zones() {
    let berlin = TimeZone::by_name("Europe/Berlin").unwrap();
    assert_eq!(text(berlin.utc_to_local(dt("2020-07-01 10:00:00"))), "2020-07-01 12:00:00");
    assert_eq!(text(berlin.local_to_utc(dt("2020-01-01 10:00:00.5"))), "2020-01-01 09:00:00.500000");
    // a gap: 02:30 does not exist; an overlap: the earlier offset
    assert_eq!(text(berlin.local_to_utc(dt("2020-03-29 02:30:00"))), "2020-03-29 01:00:00");
    assert_eq!(text(berlin.local_to_utc(dt("2020-10-25 02:30:00"))), "2020-10-25 00:30:00");
    let gap = |s: &str| berlin.utc_and_gap(dt(s)).1;
    assert!(gap("2020-03-29 02:00:00") && gap("2020-03-29 02:59:59.9"));
    assert!(!gap("2020-03-29 01:59:59") && !gap("2020-03-29 03:00:00") && !gap("2020-10-25 02:30:00"));
    assert_eq!(TimeZone::by_name("+05:30").unwrap(), TimeZone::Offset(19800));
    assert_eq!(TimeZone::by_name("-13:59").unwrap().name(), "-13:59");
    for bad in ["+14:01", "-14:00", "Nowhere/City", "", "05:30"] {
        assert!(TimeZone::by_name(bad).is_err(), "{bad}");
    }
    assert_eq!(TimeZone::UTC.to_unix(dt("2001-09-09 01:46:40")), 1_000_000_000);
}

proptest! {
    #[test]
    fn days_round_trip(n in 366i64..=MAX_DAY_NUMBER, micros in 0i64..86_400_000_000, delta in -10_000_000_000_000_000i64..10_000_000_000_000_000) {
        let date = from_days(n);
        prop_assert_eq!(to_days(date), n);
        prop_assert!(valid_date(date.year(), date.month(), date.day()));
        prop_assert_eq!(days_from_civil(date.year(), date.month(), date.day()), n - 719_528);
        let v = date.to_datetime().with_time(Time::from_micros_unchecked(micros));
        if let Some(w) = add_micros(v, delta.into()) {
            prop_assert_eq!(diff_micros(w, v), delta);
            prop_assert_eq!(w.cmp(&v), delta.cmp(&0));
            prop_assert_eq!(text(dt(&text(w))), text(w));
        }
    }

    #[test]
    fn times_round_trip(us in -3_020_399_000_000i64..=3_020_399_000_000) {
        let t = Time::from_micros(us).unwrap();
        prop_assert_eq!(t.to_micros(), us);
        let mut s = Vec::new();
        format::format_time(t, 6, &mut s);
        prop_assert_eq!(parse::parse_time(&s).unwrap().value, t);
    }

    #[test]
    fn rubbish_does_no_harm(s in proptest::collection::vec(any::<u8>(), 0..30), t in "[0-9:. T+-]{0,24}") {
        for s in [&s[..], t.as_bytes()] {
            parse::parse_datetime(s, DateFlags::LAX);
            parse::parse_time(s);
            str_to_date(s, b"%Y-%m-%d %H:%i:%s.%f %p %j %U %W %X %V");
            Interval::from_text(s, Unit::DayMicrosecond);
            crate::decimal::Decimal::parse_prefix(s);
            crate::number::parse_f64_prefix(s);
            crate::number::parse_int_rounded(s);
        }
    }
}
