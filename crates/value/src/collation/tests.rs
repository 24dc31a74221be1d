use super::*;
use proptest::prelude::*;
use std::hash::{DefaultHasher, Hasher};

fn key(c: &Collation, s: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    c.sort_key(s, &mut out);
    out
}

fn hash(c: &Collation, s: &[u8]) -> u64 {
    let mut h = DefaultHasher::new();
    c.hash(s, &mut h);
    h.finish()
}

fn eq(c: &str, a: &str, b: &str) -> bool {
    by_name(c).unwrap().compare(a.as_bytes(), b.as_bytes()).is_eq()
}

fn lt(c: &str, a: &str, b: &str) -> bool {
    by_name(c).unwrap().compare(a.as_bytes(), b.as_bytes()).is_lt()
}

#[test]
fn tolower() {
    let c = "utf8mb3_tolower_ci";
    // case alone: no accents, no final sigma, no letters of later Unicodes
    for (a, b) in [("Table", "tABLE"), ("Ä", "ä"), ("İ", "i"), ("Я", "я"), ("a", "a ")] {
        assert!(eq(c, a, b), "{a} {b}");
    }
    for (a, b) in [("a", "ä"), ("s", "ß"), ("i", "ı"), ("ß", "ẞ"), ("_", "a"), ("\u{23C}", "\u{23D}")] {
        assert!(lt(c, a, b), "{a} {b}");
    }
    // where general_ci has the underscore behind the letters
    assert!(lt(c, "a_b", "ab") && lt("utf8mb3_general_ci", "ab", "a_b"));
}

#[test]
fn uca_900() {
    let c = "utf8mb4_0900_ai_ci";
    for (a, b) in [
        ("a", "A"),
        ("a", "á"),
        ("ß", "ss"),
        ("æ", "ae"),
        ("\u{0}a", "a"),
        ("한", "\u{1112}\u{1161}\u{11ab}"),
        ("Å", "a\u{30a}"),
    ] {
        assert!(eq(c, a, b), "{a} {b}");
    }
    for (a, b) in [
        ("a", "b"),
        ("a", "a "),
        ("a b", "ab"),
        ("z", "α"),
        ("α", "я"),
        ("я", "한"),
        ("한", "中"),
        ("😀", "a"),
        ("9", "a"),
        ("中", "\u{3400}"),
    ] {
        assert!(lt(c, a, b), "{a} {b}");
    }
    assert!(lt("utf8mb4_0900_as_ci", "a", "á") && eq("utf8mb4_0900_as_ci", "a", "A"));
    assert!(
        lt("utf8mb4_0900_as_cs", "a", "A")
            && lt("utf8mb4_0900_as_cs", "A", "á")
            && lt("utf8mb4_0900_as_cs", "ÁA", "ab")
    );
    assert!(lt("utf8mb4_0900_bin", "A", "a"));
    // WEIGHT_STRING in MySQL 8.0: 'a' 1C47, 'ab' 1C471C60, U+4E00 FB40CE00, U+1F600 149D
    assert_eq!(key(by_name(c).unwrap(), "ab一".as_bytes()), [0x1C, 0x47, 0x1C, 0x60, 0xFB, 0x40, 0xCE, 0x00]);
}

#[test]
fn padding() {
    for c in ["utf8mb4_general_ci", "utf8mb4_bin", "utf8mb4_unicode_ci", "latin1_swedish_ci", "ascii_bin"] {
        assert!(
            eq(c, "a", "a   ") && eq(c, "", "  ") && lt(c, "a\t", "a") && lt(c, "a", "a b") && lt(c, "a \t", "a"),
            "{c}"
        );
    }
    for c in ["binary", "utf8mb4_0900_bin", "utf8mb4_0900_ai_ci"] {
        assert!(lt(c, "a", "a ") && lt(c, "a", "a\t"), "{c}");
    }
    assert!(eq("latin1_swedish_ci", "ab", "AB") && eq("ascii_general_ci", "ab", "AB") && !eq("latin1_bin", "a", "A"));
    assert!(
        eq("utf8mb4_general_ci", "ß", "s")
            && eq("utf8mb4_general_ci", "É", "e")
            && eq("utf8mb4_general_ci", "😀", "😁")
    );
    assert!(eq("utf8mb4_unicode_ci", "ß", "ss"));
}

#[test]
fn like() {
    let ci = CollationId::UTF8MB4_0900_AI_CI.get();
    let bin = CollationId::UTF8MB4_BIN.get();
    let l = |c: &Collation, s: &str, p: &str| c.like(s.as_bytes(), p.as_bytes(), b"\\");
    for (s, p, yes) in [
        ("abc", "a%", true),
        ("abc", "%C", true),
        ("abc", "a_c", true),
        ("äbc", "A_C", true),
        ("abc", "_", false),
        ("", "%", true),
        ("", "", true),
        ("a", "", false),
        ("a%c", "a\\%c", true),
        ("abc", "a\\%c", false),
        ("aXbXc", "a%b%c", true),
        ("mississippi", "%iss%ip%", true),
        ("mississippi", "%iss%ix%", false),
        ("a ", "a", false),
        ("日本語", "_本%", true),
        ("a\\", "a\\", true),
    ] {
        assert_eq!(l(ci, s, p), yes, "{s} LIKE {p}");
    }
    assert!(!l(bin, "ABC", "a%") && l(bin, "ABC", "A%"));
    // a space and a character without weight are equal as padded texts only
    let pads = by_name("utf8mb4_unicode_ci").unwrap();
    assert!(pads.compare(b" ", b"\x01").is_eq());
    assert!(!l(pads, " a", "\x01A") && l(pads, " a", " A") && l(pads, "\x01a", "\x02A"));
    assert_eq!(ci.like_prefix(b"ab\\%c%d", b"\\"), (b"ab%c".to_vec(), false));
    assert_eq!(ci.like_prefix(b"abc", b"\\"), (b"abc".to_vec(), true));
    assert_eq!(ci.find("xÄbc".as_bytes(), b"AB", 0), Some(1..4));
    assert_eq!(bin.find(b"xabc", b"bd", 0), None);
    assert_eq!(bin.find(b"abc", b"", 3), Some(3..3));
}

/// Sort keys are on disk: this value may never change.
#[test]
fn frozen() {
    let mut sums = Vec::new();
    for c in COLLATIONS {
        if matches!(c.algorithm, super::Algorithm::Wide(_, super::WideOrder::As(_))) {
            continue; // the keys of a collation of utf8mb4, which is in the list
        }
        let mut sum = 0xcbf2_9ce4_8422_2325u64;
        let mut add = |k: &[u8]| {
            for b in k {
                sum = (sum ^ u64::from(*b)).wrapping_mul(0x100_0000_01b3);
            }
            sum = (sum ^ 0x1ff).wrapping_mul(0x100_0000_01b3);
        };
        let mut k = Vec::new();
        let top = if c.charset.is_single_byte() { 256 } else { 0x11_0000 };
        let mut s = Vec::new();
        for cp in 0..top {
            s.clear();
            if top == 256 {
                s.push(cp as u8);
            } else if !crate::charset::utf8::encode(cp, &mut s) {
                continue;
            }
            k.clear();
            c.sort_key(&s, &mut k);
            add(&k);
        }
        add(&key(c, b"a  b c   \td  "));
        add(&key(c, &[b"x".as_slice(), &[b' '; 300], b"y"].concat()));
        sums.push((c.id.0, sum));
    }
    assert_eq!(sums, FROZEN);
}

const FROZEN: &[(u16, u64)] = &[
    (1, 7302078336084096744),
    (2, 12744448150647893089),
    (3, 16919413930682326355),
    (4, 7152243370286556197),
    (5, 14226671219486565679),
    (6, 14719405945537995611),
    (7, 13763327243011296244),
    (8, 16919413930682326355),
    (9, 15156839510553660349),
    (10, 2172554349034351107),
    (11, 6019459399710768275),
    (12, 15501493077284893559),
    (13, 5100265717964362697),
    (14, 121096136431443233),
    (15, 13568157926765909603),
    (16, 6461359931915432403),
    (18, 7828351066809385639),
    (19, 16934085935118418007),
    (20, 10416879696987176163),
    (21, 12534833131447501275),
    (22, 3741981019327194376),
    (23, 14293863943455073116),
    (24, 6565217376733938310),
    (25, 6428311127802495157),
    (26, 1617573336903639981),
    (27, 15269642721170586789),
    (28, 16955353901042674418),
    (29, 10234963855526526832),
    (30, 6466958927199705014),
    (31, 1612879472230817184),
    (32, 6019459399710768275),
    (33, 6262318112906894506),
    (34, 791620132513903595),
    (35, 15407862338719916008),
    (36, 8672181307421999729),
    (37, 18123396880218600872),
    (38, 12613833963912447990),
    (39, 12786534363317549580),
    (40, 11469647649149016093),
    (41, 12230081084483181323),
    (42, 11388441399314624370),
    (43, 8443439712405462675),
    (44, 8996959450045262351),
    (45, 6262318112906894506),
    (46, 18185669657336820691),
    (47, 8443439712405462675),
    (48, 17537491307794026880),
    (49, 10671662716992424406),
    (50, 8443439712405462675),
    (51, 11767611602887509197),
    (52, 18080409317128998772),
    (53, 8443439712405462675),
    (54, 13375375022369644776),
    (55, 13375375022369644776),
    (56, 10752329401490900768),
    (57, 13360682493312142506),
    (58, 8443439712405462675),
    (59, 1097886104791645113),
    (60, 3164110642049302658),
    (61, 3164110642049302658),
    (62, 10752329401490900768),
    (63, 10040824639513877519),
    (64, 8443439712405462675),
    (65, 8443439712405462675),
    (66, 8443439712405462675),
    (67, 8443439712405462675),
    (68, 8443439712405462675),
    (69, 8443439712405462675),
    (70, 8443439712405462675),
    (71, 8443439712405462675),
    (72, 8443439712405462675),
    (73, 8443439712405462675),
    (74, 8443439712405462675),
    (75, 8443439712405462675),
    (76, 6171870304448968569),
    (77, 8443439712405462675),
    (78, 8443439712405462675),
    (79, 8443439712405462675),
    (80, 8443439712405462675),
    (81, 8443439712405462675),
    (82, 8443439712405462675),
    (83, 18185669657336820691),
    (84, 18185669657336820691),
    (85, 18185669657336820691),
    (86, 18185669657336820691),
    (87, 18185669657336820691),
    (88, 18185669657336820691),
    (89, 8443439712405462675),
    (90, 15407862338719916008),
    (91, 18185669657336820691),
    (92, 16917837654301845811),
    (93, 8443439712405462675),
    (94, 4321830169378149988),
    (95, 5100265717964362697),
    (96, 18185669657336820691),
    (97, 15501493077284893559),
    (98, 18185669657336820691),
    (99, 4615454782538415135),
    (159, 15407862338719916008),
    (192, 4052225043901503441),
    (193, 13290744779524191517),
    (194, 2843071857901116073),
    (195, 1368170424179157541),
    (196, 8944076254737377877),
    (197, 3668556187004422509),
    (198, 11649922037662862457),
    (199, 9025919403569607653),
    (200, 17172512507375662177),
    (201, 9386243115323149449),
    (202, 2572072611897795005),
    (203, 17769109936982722393),
    (204, 5048802548119703728),
    (205, 10840307316294066545),
    (206, 9025919403569607653),
    (207, 14633172667339620361),
    (208, 15333422809860373612),
    (209, 9408204211442557657),
    (210, 14170859045795395465),
    (211, 12161400590221030688),
    (212, 3490309590484539333),
    (213, 9364884288535619796),
    (214, 4062098872667984429),
    (215, 8387287062926533421),
    (223, 11508727392963910318),
    (224, 4052225043901503441),
    (225, 13290744779524191517),
    (226, 2843071857901116073),
    (227, 1368170424179157541),
    (228, 8944076254737377877),
    (229, 3668556187004422509),
    (230, 11649922037662862457),
    (231, 9025919403569607653),
    (232, 17172512507375662177),
    (233, 9386243115323149449),
    (234, 2572072611897795005),
    (235, 17769109936982722393),
    (236, 5048802548119703728),
    (237, 10840307316294066545),
    (238, 9025919403569607653),
    (239, 14633172667339620361),
    (240, 15333422809860373612),
    (241, 9408204211442557657),
    (242, 14170859045795395465),
    (243, 12161400590221030688),
    (244, 3490309590484539333),
    (245, 9364884288535619796),
    (246, 4062098872667984429),
    (247, 8387287062926533421),
    (248, 2768964405299888111),
    (249, 18185669657336820691),
    (255, 5341174465763119678),
    (256, 1459326716378135002),
    (257, 16750162137595953143),
    (258, 18392550503400822734),
    (259, 8574789183054373626),
    (260, 11333302964011483916),
    (261, 14212305602678909494),
    (262, 3518107634797184644),
    (263, 7696420027366925314),
    (264, 14114264023178862719),
    (265, 16129378486793392452),
    (266, 4343323698391639740),
    (267, 15411777991787656709),
    (268, 9270404565952487698),
    (269, 12693682170174624848),
    (270, 7696420027366925314),
    (271, 17459213620018720836),
    (273, 9922426924598148390),
    (274, 10816591346654326696),
    (275, 14510422064404391324),
    (277, 8226861804359616612),
    (278, 3616471118671437399),
    (279, 16076633901562931038),
    (280, 1688505744666901821),
    (281, 7147214842305864984),
    (282, 11402914646345864312),
    (283, 6558057125228173016),
    (284, 8968157210644431667),
    (285, 13843353982534034692),
    (286, 4038607229719694408),
    (287, 3619034970608090712),
    (288, 152830549779754949),
    (289, 1187345972899533602),
    (290, 3394437133419715695),
    (291, 10472109616526172768),
    (292, 17179119797701270246),
    (293, 4038607229719694408),
    (294, 9992193878169386545),
    (296, 5046194109304467433),
    (297, 13632402443054676118),
    (298, 4619527974174898035),
    (300, 3516621983583171140),
    (303, 14375464424282131805),
    (304, 11625004751441102005),
    (305, 12515342871747079794),
    (306, 15051949646927378567),
    (307, 12355039329708390574),
    (308, 1136262378224012969),
    (309, 12163521802740799759),
    (310, 15411777991787656709),
    (311, 1810240881987015801),
    (312, 15411777991787656709),
    (313, 1810240881987015801),
    (314, 14510422064404391324),
    (315, 4619527974174898035),
    (316, 14510422064404391324),
    (317, 4619527974174898035),
    (318, 15051949646927378567),
    (319, 12355039329708390574),
    (320, 7696420027366925314),
    (321, 4038607229719694408),
    (322, 15051949646927378567),
    (323, 12355039329708390574),
];

/// The file of tailorings, contractions included.
#[test]
fn tailorings_are_frozen() {
    let data = include_bytes!("tailored.bin");
    let sum = data.iter().fold(0xcbf2_9ce4_8422_2325u64, |h, b| (h ^ u64::from(*b)).wrapping_mul(0x100_0000_01b3));
    assert_eq!(sum, TAILORED);
}

const TAILORED: u64 = 0x8681_8725_c097_7242;

#[test]
fn chinese() {
    let data = include_bytes!("eastern.bin");
    let sum = data.iter().fold(0xcbf2_9ce4_8422_2325u64, |h, b| (h ^ u64::from(*b)).wrapping_mul(0x100_0000_01b3));
    assert_eq!(sum, 0xc51c_52a7_e72c_7ef6);
    let zh = "utf8mb4_zh_0900_as_cs";
    // digits, Han by pinyin, other Han, Latin and the scripts behind it
    let order = ["!", "9", "阿", "波", "日", "中", "㈰", "\u{9FD0}", "a", "Z", "α", "я", "か", "ㄅ", "\u{17000}"];
    for pair in order.windows(2).filter(|p| p[0] != "㈰" && p[1] != "㈰") {
        assert!(lt(zh, pair[0], pair[1]), "{pair:?}");
    }
    // tones in front of the plain letter, on the second level
    for pair in ["ā", "Ā", "á", "ǎ", "à", "a", "A"].windows(2) {
        assert!(lt(zh, pair[0], pair[1]), "{pair:?}");
    }
    assert!(lt(zh, "àb", "ab") && lt(zh, "ab", "àc"));
    // words read otherwise than their first character alone
    assert!(lt(zh, "重庆", "重") && lt(zh, "虫", "重庆") && eq(zh, "\u{F900}", "豈"));
}

/// The Japanese file, and what the standard (JIS X 4061, its test data), the manual and MySQL's blog say of the order.
#[test]
fn japanese() {
    let data = include_bytes!("japanese.bin");
    let sum = data.iter().fold(0xcbf2_9ce4_8422_2325u64, |h, b| (h ^ u64::from(*b)).wrapping_mul(0x100_0000_01b3));
    assert_eq!(sum, 0xbb45_ff47_cc42_fd37);
    let (ja, ks) = ("utf8mb4_ja_0900_as_cs", "utf8mb4_ja_0900_as_cs_ks");
    // Latin, kana, Han of JIS X 0208 in its order, other Han, other scripts
    for pair in ["!", "9", "a", "Z", "あ", "ン", "亜", "唖", "王", "人", "兵", "熙", "﨎", "㐀", "α", "я", "한", "ㄅ"]
        .windows(2)
    {
        assert!(lt(ja, pair[0], pair[1]) && lt(ks, pair[0], pair[1]), "{pair:?}");
    }
    for (a, b) in
        [("あ", "ア"), ("ア", "ｱ"), ("が", "ガ"), ("か\u{3099}", "ガ"), ("０", "0"), ("\u{3000}", " "), ("ﾡ", "ᄀ")]
    {
        assert!(eq(ja, a, b), "{a} {b}");
    }
    assert!(lt(ks, "あ", "ア") && eq(ks, "ア", "ｱ") && lt(ks, "が", "ガ") && eq(ks, "０", "0") && lt(ja, "a", "A"));
    assert!(
        eq(ja, "きゅう", "キュウ")
            && lt(ja, "キュウ", "きゆう")
            && lt(ks, "きゅう", "キュウ")
            && lt(ks, "キュウ", "きゆう")
    );
    for words in [
        "シャーレ シャイ シヤィ シャレ ちょこ ちよこ チョコレート てーた テータ テェタ てえた でーた データ デェタ でえた",
        "てーたー テータァ テェター てぇたぁ てえたー でーたー データァ でェたァ デぇタぁ デエタア ひゆ びゅあ ぴゅあ",
        "びゅあー ビュアー ぴゅあー ピュアー ヒュウ ヒユウ ピュウア びゅーあー ビューアー ビュウアー ひゅん ぴゅん",
        "ふーり フーリ ふぅり ふゥり ふゥリ フウリ ぶーり ブーリ ぶぅり ブゥり ぷうり プウリ ふーりー フゥリー",
        "はゝ はは はハ ハハ はゞ ハヾ はば ハバ はぱ ハぱ ハパ ばゝ バヽ ばは バハ ばゞ バヾ ばば バば ババ ばぱ",
    ] {
        let words: Vec<&str> = words.split(' ').collect();
        for pair in words.windows(2) {
            assert!(lt(ks, pair[0], pair[1]), "{pair:?}");
            assert!(!lt(ja, pair[1], pair[0]), "{pair:?}");
        }
    }
    // no fourth level without kana; the length mark has the script of what it lengthens
    let key = |s: &str| key(by_name(ks).unwrap(), s.as_bytes());
    assert_eq!(key("a"), [0x1C, 0x47, 0, 0, 0, 0x20, 0, 0, 0, 2]);
    assert_eq!(key("かー").split_at(key("かー").len() - 6).1, [0, 0, 0, 2, 0, 2]);
    assert_eq!(key("んー").split_at(key("んー").len() - 6).1, [0, 0, 0, 2, 0, 8]);
    assert_eq!(key("я").split_at(4).0, [0xFB, 0x86, 0x21, 0xAF]);
}

#[test]
fn languages() {
    assert!(
        lt("utf8mb4_czech_ci", "cz", "ch") && lt("utf8mb4_czech_ci", "hz", "ch") && lt("utf8mb4_czech_ci", "ch", "i")
    );
    assert!(lt("utf8mb4_czech_ci", "xcz", "xch") && eq("utf8mb4_czech_ci", "CHx ", "chX"));
    assert!(lt("utf8mb4_esperanto_ci", "cz", "ĉ") && lt("utf8mb4_esperanto_ci", "ĉ", "d"));
    assert!(eq("utf8mb4_german2_ci", "ä", "ae") && !eq("utf8mb4_german2_ci", "ä", "a"));
    assert!(eq("utf8mb4_da_0900_ai_ci", "Aa", "å") && lt("utf8mb4_da_0900_ai_ci", "zz", "aa"));
    assert!(lt("utf8mb4_da_0900_as_cs", "Å", "å") && lt("utf8mb4_da_0900_as_cs", "B", "b"));
    // as MySQL: what stands apart is not put together
    assert!(lt("utf8mb4_da_0900_as_cs", "a\u{30A}", "å") && eq("utf8mb4_vi_0900_as_cs", "ậ", "\u{1EAD}"));
    assert!(lt("utf8mb4_da_0900_ai_ci", "z", "œ") && eq("utf8mb4_da_0900_ai_ci", "œ", "Œ"));
    assert!(
        lt("utf8mb4_ru_0900_ai_ci", "я", "a")
            && lt("utf8mb4_hr_0900_ai_ci", "z", "я")
            && lt("utf8mb4_hr_0900_ai_ci", "я", "α")
    );
    assert!(lt("utf8mb4_hu_0900_ai_ci", "dzz", "dzs") && lt("utf8mb4_hu_0900_ai_ci", "dzsz", "e"));
    assert!(eq("utf8mb4_lv_0900_ai_ci", "y", "i") && lt("utf8mb4_lv_0900_ai_ci", "cz", "č"));
}

/// Writes random pairs with our answer for a comparison with a real server (see gen/).
#[test]
#[ignore = "writes a file for a comparison by hand"]
fn dump_pairs() {
    let chars: Vec<char> =
        "abABzZ09 _-.,\t\u{1}áÁäÄåßæøœñçžșİıſΑαάωЖжяЯёאبกあアｱ한글각中文一丁㐀\u{20000}😀\u{17000}ﬁⅣ①½"
            .chars()
            .collect();
    let mut seed = 42u64;
    let mut next = |n: usize| {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (seed >> 33) as usize % n
    };
    let mut out = String::new();
    for name in [
        "utf8mb4_general_ci",
        "utf8mb4_unicode_ci",
        "utf8mb4_unicode_520_ci",
        "utf8mb4_bin",
        "utf8mb4_0900_ai_ci",
        "utf8mb4_0900_as_cs",
    ] {
        let c = by_name(name).unwrap();
        for _ in 0..4000 {
            let mut word = |len: usize| -> String { (0..next(len)).map(|_| chars[next(chars.len())]).collect() };
            let a = word(6);
            let mut b = word(6);
            if a.len() > 2 && b.len() % 2 == 0 {
                b = format!("{a}{}", b.chars().next().unwrap_or(' '));
            }
            let r = c.compare(a.as_bytes(), b.as_bytes()) as i32;
            let hex = |s: &str| s.bytes().map(|b| format!("{b:02X}")).collect::<String>();
            out.push_str(&format!("{name}\t{}\t{}\t{r}\n", hex(&a), hex(&b)));
        }
    }
    std::fs::write(std::env::var("PAIRS").unwrap(), out).unwrap();
}

fn text() -> impl Strategy<Value = String> {
    proptest::collection::vec(
        prop_oneof![
            Just('a'),
            Just('A'),
            Just(' '),
            Just('\t'),
            Just('\0'),
            Just('é'),
            Just('ß'),
            Just('한'),
            Just('中'),
            Just('😀'),
            Just('\u{301}'),
            any::<char>(),
        ],
        0..12,
    )
    .prop_map(|v| v.into_iter().collect())
}

proptest! {
    #[test]
    fn keys_agree_with_compare(a in text(), b in text(), spaces in 0usize..3) {
        let b = if b.len() % 3 == 0 { format!("{a}{}", " ".repeat(spaces)) } else { b };
        for c in COLLATIONS {
            let (x, y) = match c.charset {
                Charset::Utf8mb4 => (a.clone().into_bytes(), b.clone().into_bytes()),
                _ => (a.bytes().map(|b| b & 0x7F).collect(), b.bytes().map(|b| b & 0x7F).collect()),
            };
            let r = c.compare(&x, &y);
            prop_assert_eq!(r, key(c, &x).cmp(&key(c, &y)), "{}", c.name);
            prop_assert_eq!(r, c.compare(&y, &x).reverse());
            if r.is_eq() {
                prop_assert_eq!(hash(c, &x), hash(c, &y), "{}", c.name);
            }
        }
    }

    #[test]
    fn malformed_bytes_do_no_harm(a in proptest::collection::vec(any::<u8>(), 0..12), b in proptest::collection::vec(any::<u8>(), 0..12)) {
        for c in COLLATIONS {
            prop_assert_eq!(c.compare(&a, &b), key(c, &a).cmp(&key(c, &b)), "{}", c.name);
            c.like(&a, &b, b"\\");
            c.find(&a, &b, 0);
        }
    }
}

/// The table of ASCII that LIKE uses says what the weights say, in each collation, and can be made in each.
#[test]
fn ascii_characters_are_the_same_as_by_weight() {
    for c in COLLATIONS.iter().filter(|c| !c.is_binary()) {
        for (a, b) in [(b'a', b'A'), (b'a', b'b'), (b' ', b'\0'), (b'-', b'+'), (b'1', b'1')] {
            let found = c.like(&[b'x', a], &[b'x', b], b"\\");
            assert_eq!(found, c.like(&[b'x', b], &[b'x', a], b"\\") || a == b, "{} {a} {b}", c.name);
        }
    }
}

/// Nanoseconds of the hot operations on a 36-character ASCII text.
#[test]
#[ignore = "prints timings"]
fn timing() {
    let c = CollationId::UTF8MB4_0900_AI_CI.get();
    let g = CollationId::UTF8MB4_GENERAL_CI.get();
    let s = b"83868641912-28773972837-60736120486-75";
    let t = b"83868641912-28773972837-60736120486-7X";
    let mut out = Vec::with_capacity(256);
    let mut time = |name: &str, f: &mut dyn FnMut(&mut Vec<u8>)| {
        let start = std::time::Instant::now();
        for _ in 0..1_000_000 {
            out.clear();
            f(&mut out);
            std::hint::black_box(&out);
        }
        println!("{name}: {} ns", start.elapsed().as_millis());
    };
    time("0900 sort_key", &mut |o| c.sort_key(s, o));
    time("general sort_key", &mut |o| g.sort_key(s, o));
    time("0900 compare", &mut |_| {
        std::hint::black_box(c.compare(std::hint::black_box(s), t));
    });
    time("0900 hash", &mut |_| {
        std::hint::black_box(hash(c, std::hint::black_box(s)));
    });
    let ty = crate::SqlType::bigint();
    time("to_text int", &mut |o| crate::convert::to_text(crate::Value::Int(1234567), &ty, o));
    let d = crate::Decimal::parse(b"12345.67").unwrap();
    let dt = crate::SqlType::decimal(10, 2);
    time("to_text decimal", &mut |o| crate::convert::to_text(crate::Value::Decimal(&d), &dt, o));
    time("decimal add", &mut |_| {
        let _ = std::hint::black_box(d.add(std::hint::black_box(&d)));
    });
    time("decimal parse", &mut |_| {
        std::hint::black_box(crate::Decimal::parse(std::hint::black_box(b"12345.67")));
    });
    time("decimal encode", &mut |o| {
        let _ = crate::decimal::encode_binary(&d, 10, 2, o);
    });
}
