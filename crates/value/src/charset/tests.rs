use super::*;

#[test]
fn latin1_is_cp1252() {
    let mut out = Vec::new();
    assert_eq!(convert("€é\u{81}".as_bytes(), Charset::Utf8mb4, Charset::Latin1, &mut out), Default::default());
    assert_eq!(out, [0x80, 0xE9, 0x81]);
    let mut back = Vec::new();
    convert(&out, Charset::Latin1, Charset::Utf8mb4, &mut back);
    assert_eq!(back, "€é\u{81}".as_bytes());
    out.clear();
    assert_eq!(convert("aЖb".as_bytes(), Charset::Utf8mb4, Charset::Latin1, &mut out).unmappable, 1);
    assert_eq!(out, b"a?b");
}

#[test]
fn every_char_decodes() {
    for c in (0..0x11_0000u32).filter(|c| char::from_u32(*c).is_some()) {
        let mut b = Vec::new();
        assert!(utf8::encode(c, &mut b));
        assert_eq!(utf8::decode(&b), Some((c, b.len())));
    }
    for bad in [&b"\xC0\x80"[..], b"\xED\xA0\x80", b"\xF4\x90\x80\x80", b"\xE2\x82", b"\x80", b"\xFF"] {
        assert_eq!(utf8::decode(bad), None);
        assert_eq!(Charset::Utf8mb4.valid_prefix(bad), 0);
    }
    assert_eq!(Charset::Utf8mb3.valid_prefix("aé😀".as_bytes()), 3);
}

#[test]
fn characters() {
    let s = "aé😀b".as_bytes();
    assert_eq!(Charset::Utf8mb4.char_count(s), 4);
    assert_eq!(Charset::Utf8mb4.substring(s, 1, 2), "é😀".as_bytes());
    assert_eq!(Charset::Utf8mb4.substring(s, 9, 2), b"");
    assert_eq!(Charset::Latin1.substring(b"abc", 1, 9), b"bc");
    let mut out = Vec::new();
    Charset::Utf8mb4.upper("straße é ÿ".as_bytes(), &mut out);
    assert_eq!(out, "STRAßE É Ÿ".as_bytes());
    out.clear();
    Charset::Latin1.upper(b"\xE9\xFF\xDF", &mut out);
    assert_eq!(out, b"\xC9\xFF\xDF");
}

#[test]
fn long_texts_are_measured_and_made_once() {
    let text = "aé😀本b".repeat(20_000);
    let short = "aé😀本b";
    for to in [
        Charset::Utf32,
        Charset::Utf16,
        Charset::Utf16le,
        Charset::Ucs2,
        Charset::Latin1,
        Charset::Utf8mb4,
        Charset::Sjis,
    ] {
        for (s, from) in [
            (text.as_bytes(), Charset::Utf8mb4),
            (short.as_bytes(), Charset::Utf8mb4),
            (&[0xe9; 99_999][..], Charset::Latin1),
        ] {
            let (mut out, arena, mut asked) = (Vec::new(), bumpalo::Bump::new(), 0);
            let outcome = convert(s, from, to, &mut out);
            let told = std::cell::Cell::new(0);
            let work = |n| {
                told.set(told.get() + n);
                Ok::<(), ()>(())
            };
            assert_eq!(converted_len(s, from, to, work), Ok(out.len()), "{from:?} {to:?}");
            let room = |n| {
                asked = n;
                Ok(())
            };
            let made = convert_in(s, from, to, &arena, room, work);
            assert!([0, out.len(), 3 * out.len()].contains(&told.get()), "{from:?} {to:?}: {}", told.get());
            assert!(made == Ok((&out, outcome)), "{from:?} {to:?}");
            assert!(s.len() < 100 || asked == out.len());
            assert!(
                s.len() < 100 || out.capacity() < out.len() + 64,
                "no room to spare: {} of {}",
                out.len(),
                out.capacity()
            );
        }
    }
    let (arena, wide) = (bumpalo::Bump::new(), Charset::Utf32);
    let ended = |room: Result<(), u8>, work: Result<(), u8>| {
        convert_in(text.as_bytes(), Charset::Utf8mb4, wide, &arena, |_| room, |_| work).map(|_| ())
    };
    assert_eq!([ended(Err(7), Ok(())), ended(Ok(()), Err(8)), ended(Ok(()), Ok(()))], [Err(7), Err(8), Ok(())]);
}

#[test]
fn pieces_are_whole_characters() {
    let size = base::interrupt::SHARE;
    for (cs, unit) in [
        (Charset::Utf8mb4, "aäb€😀".as_bytes()),
        (Charset::Latin1, b"abc".as_slice()),
        (Charset::Utf16, &[0, b'a', 0xd8, 0x3d, 0xde, 0x00]),
        (Charset::Sjis, &[b'a', 0x83, 0x5c]),
    ] {
        // the characters lie differently at the end of a piece each time
        for shift in 0..4 {
            let mut text = unit.get(..usize::from(cs.min_len())).unwrap().repeat(shift);
            text.extend(unit.repeat(2 * size / unit.len()));
            let pieces: Vec<&[u8]> = cs.pieces(&text).collect();
            assert!(pieces.len() >= 2 && pieces.iter().all(|p| p.len() < size + 4 && cs.is_valid(p)), "{cs:?} {shift}");
            assert!(pieces.concat() == text, "{cs:?}");
        }
    }
    // malformed: nothing is lost
    let bad = vec![0x80; 3 * size / 2];
    assert_eq!(Charset::Utf8mb4.pieces(&bad).map(<[u8]>::len).sum::<usize>(), bad.len());
    assert_eq!(Charset::Utf8mb4.pieces(b"").count(), 0);
}
