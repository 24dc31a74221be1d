//! MD5 (RFC 1321), only for the SQL function of that name: whole blocks are read where they lie, and the rounds are
//! unrolled.

/// The integer part of 2^32 times the sine of 1 to 64.
const SINES: [u32; 64] = [
    0xd76a_a478,
    0xe8c7_b756,
    0x2420_70db,
    0xc1bd_ceee,
    0xf57c_0faf,
    0x4787_c62a,
    0xa830_4613,
    0xfd46_9501,
    0x6980_98d8,
    0x8b44_f7af,
    0xffff_5bb1,
    0x895c_d7be,
    0x6b90_1122,
    0xfd98_7193,
    0xa679_438e,
    0x49b4_0821,
    0xf61e_2562,
    0xc040_b340,
    0x265e_5a51,
    0xe9b6_c7aa,
    0xd62f_105d,
    0x0244_1453,
    0xd8a1_e681,
    0xe7d3_fbc8,
    0x21e1_cde6,
    0xc337_07d6,
    0xf4d5_0d87,
    0x455a_14ed,
    0xa9e3_e905,
    0xfcef_a3f8,
    0x676f_02d9,
    0x8d2a_4c8a,
    0xfffa_3942,
    0x8771_f681,
    0x6d9d_6122,
    0xfde5_380c,
    0xa4be_ea44,
    0x4bde_cfa9,
    0xf6bb_4b60,
    0xbebf_bc70,
    0x289b_7ec6,
    0xeaa1_27fa,
    0xd4ef_3085,
    0x0488_1d05,
    0xd9d4_d039,
    0xe6db_99e5,
    0x1fa2_7cf8,
    0xc4ac_5665,
    0xf429_2244,
    0x432a_ff97,
    0xab94_23a7,
    0xfc93_a039,
    0x655b_59c3,
    0x8f0c_cc92,
    0xffef_f47d,
    0x8584_5dd1,
    0x6fa8_7e4f,
    0xfe2c_e6e0,
    0xa301_4314,
    0x4e08_11a1,
    0xf753_7e82,
    0xbd3a_f235,
    0x2ad7_d2bb,
    0xeb86_d391,
];

/// The digest. An error if the statement is told to stop meanwhile.
pub(super) fn md5(data: &[u8]) -> base::SqlResult<[u8; 16]> {
    let mut state = [0x6745_2301u32, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476];
    let (blocks, rest) = data.as_chunks::<64>();
    for group in blocks.chunks(base::interrupt::SHARE / 64) {
        base::interrupt::worked(group.len() * 64)?;
        for b in group {
            block(&mut state, b);
        }
    }
    // a bit, zeros, and the number of bits at the end of the last block
    let mut end = [0u8; 128];
    for (to, from) in end.iter_mut().zip(rest.iter().chain(&[0x80])) {
        *to = *from;
    }
    let (ends, _) = end.as_chunks_mut::<64>();
    let used = if rest.len() < 56 { 1 } else { 2 };
    let bits = (data.len() as u64).wrapping_mul(8).to_le_bytes();
    if let Some((_, to)) = ends.get_mut(used - 1).and_then(|b| b.split_last_chunk_mut::<8>()) {
        *to = bits;
    }
    for b in ends.iter().take(used) {
        block(&mut state, b);
    }
    let mut out = [0u8; 16];
    for (to, from) in out.iter_mut().zip(state.iter().flat_map(|v| v.to_le_bytes())) {
        *to = from;
    }
    Ok(out)
}

/// One block of 64 bytes.
// indices are below 64 and 16
#[allow(clippy::indexing_slicing)]
fn block(state: &mut [u32; 4], block: &[u8; 64]) {
    let mut w = [0u32; 16];
    for (to, from) in w.iter_mut().zip(block.as_chunks::<4>().0) {
        *to = u32::from_le_bytes(*from);
    }
    let [mut a, mut b, mut c, mut d] = *state;
    // four steps, after which each word is in its place again
    macro_rules! four {
        ($f:expr, $i:expr, $g:expr, $s:expr) => {
            let (f, g, s): (fn(u32, u32, u32) -> u32, [usize; 4], [u32; 4]) = ($f, $g, $s);
            let x = |a: u32, b: u32, c: u32, d: u32, n: usize| {
                let sum = a.wrapping_add(f(b, c, d)).wrapping_add(SINES[$i + n]).wrapping_add(w[g[n]]);
                b.wrapping_add(sum.rotate_left(s[n]))
            };
            a = x(a, b, c, d, 0);
            d = x(d, a, b, c, 1);
            c = x(c, d, a, b, 2);
            b = x(b, c, d, a, 3);
        };
    }
    macro_rules! round {
        ($f:expr, $from:expr, $first:expr, $stride:expr, $s:expr) => {
            for i in 0..4 {
                let g = |n: usize| ($first + (4 * i + n) * $stride) % 16;
                four!($f, $from + 4 * i, [g(0), g(1), g(2), g(3)], $s);
            }
        };
    }
    round!(|b, c, d| (b & c) | (!b & d), 0, 0, 1, [7, 12, 17, 22]);
    round!(|b, c, d| (d & b) | (!d & c), 16, 1, 5, [5, 9, 14, 20]);
    round!(|b, c, d| b ^ c ^ d, 32, 5, 3, [4, 11, 16, 23]);
    round!(|b, c, d| c ^ (b | !d), 48, 0, 7, [6, 10, 15, 21]);
    for (to, from) in state.iter_mut().zip([a, b, c, d]) {
        *to = to.wrapping_add(from);
    }
}

#[cfg(test)]
mod tests {
    use super::md5;
    use crate::eval::codes::lower_hex;

    #[test]
    fn of_known_texts() {
        assert_eq!(lower_hex(&md5(b"").unwrap()), b"d41d8cd98f00b204e9800998ecf8427e");
        assert_eq!(lower_hex(&md5(b"abc").unwrap()), b"900150983cd24fb0d6963f7d28e17f72");
        assert_eq!(lower_hex(&md5(&[b'x'; 55]).unwrap()), b"04364420e25c512fd958a70738aa8f72");
        assert_eq!(lower_hex(&md5(&[b'x'; 56]).unwrap()), b"668a72d5ba17f08e62dabcafad6db14b");
        assert_eq!(lower_hex(&md5(&[b'x'; 63]).unwrap()), b"7dc2ca208106a2f703567bdff99d8981");
        assert_eq!(lower_hex(&md5(&[b'x'; 64]).unwrap()), b"c1bb4f81d892b2d57947682aeb252456");
        assert_eq!(lower_hex(&md5(&[b'x'; 65]).unwrap()), b"1bc932052302d074bdec39795fe00cf6");
        assert_eq!(lower_hex(&md5(&[b'x'; 119]).unwrap()), b"ab347a5f68c8a443cfcddc633f12c24f");
        assert_eq!(lower_hex(&md5(&[b'x'; 120]).unwrap()), b"fb98667f98096de92620b64f46e1c5b5");
        assert_eq!(lower_hex(&md5(&[b'x'; 128]).unwrap()), b"d69cb61a6ee87200676eb0d4b90edbcb");
        assert_eq!(lower_hex(&md5(&[b'x'; 1000]).unwrap()), b"398533d48111e9f664b1f64cb10c4b63");
    }
}
