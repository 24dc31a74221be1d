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
            assert_eq!(converted_len(s, from, to), out.len(), "{from:?} {to:?}");
            let made = convert_in(s, from, to, &arena, |n| -> Result<(), ()> {
                asked = n;
                Ok(())
            });
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
    let refused: Result<_, u8> =
        convert_in(text.as_bytes(), Charset::Utf8mb4, Charset::Utf32, &bumpalo::Bump::new(), |_| Err(7)).map(|_| ());
    assert_eq!(refused, Err(7));
}
