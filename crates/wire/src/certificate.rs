//! Names in a client's certificate (X.509, DER) as OpenSSL's `X509_NAME_oneline` writes them: `/C=SE/O=x/CN=y`, bytes that are no
//! printable ASCII as `\xHH`. The certificate itself has been verified by rustls; here nothing is checked.

/// Short names of the attributes (RFC 4519 and OpenSSL's), by their encoded object identifiers.
const NAMES: &[(&[u8], &str)] = &[
    (&[0x55, 4, 3], "CN"),
    (&[0x55, 4, 4], "SN"),
    (&[0x55, 4, 5], "serialNumber"),
    (&[0x55, 4, 6], "C"),
    (&[0x55, 4, 7], "L"),
    (&[0x55, 4, 8], "ST"),
    (&[0x55, 4, 9], "street"),
    (&[0x55, 4, 10], "O"),
    (&[0x55, 4, 11], "OU"),
    (&[0x55, 4, 12], "title"),
    (&[0x55, 4, 13], "description"),
    (&[0x55, 4, 17], "postalCode"),
    (&[0x55, 4, 41], "name"),
    (&[0x55, 4, 42], "GN"),
    (&[0x55, 4, 43], "initials"),
    (&[0x55, 4, 44], "generationQualifier"),
    (&[0x55, 4, 46], "dnQualifier"),
    (&[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 9, 1], "emailAddress"),
    (&[0x09, 0x92, 0x26, 0x89, 0x93, 0xf2, 0x2c, 0x64, 1, 1], "UID"),
    (&[0x09, 0x92, 0x26, 0x89, 0x93, 0xf2, 0x2c, 0x64, 1, 25], "DC"),
];

/// The tag of an optional version in front of a certificate's fields.
const VERSION: u8 = 0xa0;

/// One DER element: tag, contents, what follows.
fn element(b: &[u8]) -> Option<(u8, &[u8], &[u8])> {
    let (&tag, rest) = b.split_first()?;
    let (&first, rest) = rest.split_first()?;
    let (len, rest) = match first {
        0..=0x7f => (usize::from(first), rest),
        _ => {
            let (bytes, rest) = rest.split_at_checked(usize::from(first & 0x7f))?;
            let len = bytes.iter().try_fold(0usize, |n, b| n.checked_mul(256)?.checked_add(usize::from(*b)))?;
            (len, rest)
        }
    };
    let (contents, rest) = rest.split_at_checked(len)?;
    Some((tag, contents, rest))
}

/// Serial number, algorithm, issuer, validity and subject of a certificate.
fn fields(certificate: &[u8]) -> Option<[&[u8]; 5]> {
    let (_, signed, _) = element(certificate)?;
    let (_, mut fields, _) = element(signed)?;
    if fields.first() == Some(&VERSION) {
        fields = element(fields)?.2;
    }
    let mut out: [&[u8]; 5] = Default::default();
    for field in &mut out {
        let (_, contents, rest) = element(fields)?;
        (*field, fields) = (contents, rest);
    }
    Some(out)
}

/// Subject and issuer of a certificate.
pub fn names(certificate: &[u8]) -> Option<(String, String)> {
    let [_, _, issuer, _, subject] = fields(certificate)?;
    let issuer = oneline(issuer)?;
    Some((oneline(subject)?, issuer))
}

/// From when to when a certificate is good, as OpenSSL's `ASN1_TIME_print` writes it.
pub fn validity(certificate: &[u8]) -> Option<[String; 2]> {
    let [_, _, _, times, _] = fields(certificate)?;
    let (tag, from, rest) = element(times)?;
    let (end_tag, to, _) = element(rest)?;
    Some([time(tag, from)?, time(end_tag, to)?])
}

/// UTCTime (`YYMMDDhhmmssZ`, years from 1950 on) or GeneralizedTime (`YYYYMMDDhhmmssZ`).
fn time(tag: u8, text: &[u8]) -> Option<String> {
    const UTC_TIME: u8 = 0x17;
    const MONTHS: [&str; 12] = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    let text = std::str::from_utf8(text).ok()?;
    let (year, rest) = text.split_at_checked(if tag == UTC_TIME { 2 } else { 4 })?;
    let year: u32 = year.parse().ok()?;
    let year = match tag {
        UTC_TIME if year < 50 => 2000 + year,
        UTC_TIME => 1900 + year,
        _ => year,
    };
    let part = |n: usize| rest.get(n * 2..n * 2 + 2)?.parse::<usize>().ok();
    let month = MONTHS.get(part(0)?.checked_sub(1)?)?;
    Some(format!("{month} {:2} {:02}:{:02}:{:02} {year} GMT", part(1)?, part(2)?, part(3)?, part(4)?))
}

/// A name: a sequence of sets of attributes.
fn oneline(mut name: &[u8]) -> Option<String> {
    let mut out = String::new();
    while !name.is_empty() {
        let (_, mut set, rest) = element(name)?;
        name = rest;
        while !set.is_empty() {
            let (_, attribute, rest) = element(set)?;
            set = rest;
            let (_, oid, value) = element(attribute)?;
            let (_, value, _) = element(value)?;
            out.push('/');
            match NAMES.iter().find(|(o, _)| *o == oid) {
                Some((_, n)) => out.push_str(n),
                None => out.push_str(&dotted(oid)),
            }
            out.push('=');
            for b in value {
                match b {
                    b' '..=b'~' => out.push(char::from(*b)),
                    b => out.push_str(&format!("\\x{b:02X}")),
                }
            }
        }
    }
    Some(out)
}

/// An object identifier in figures.
fn dotted(oid: &[u8]) -> String {
    let mut arcs: Vec<u64> = Vec::new();
    let mut arc = 0u64;
    for b in oid {
        arc = arc << 7 | u64::from(b & 0x7f);
        if b & 0x80 == 0 {
            if arcs.is_empty() {
                let top = (arc / 40).min(2);
                arcs.push(top);
                arc -= top * 40;
            }
            arcs.push(arc);
            arc = 0;
        }
    }
    arcs.iter().map(u64::to_string).collect::<Vec<_>>().join(".")
}

#[cfg(test)]
mod tests {
    use super::*;
    use rcgen::{CertificateParams, DnType, Issuer, KeyPair};

    #[test]
    fn names_are_on_one_line() {
        let (ca_key, key) = (KeyPair::generate().unwrap(), KeyPair::generate().unwrap());
        let mut ca = CertificateParams::new(Vec::new()).unwrap();
        ca.distinguished_name = rcgen::DistinguishedName::new();
        ca.distinguished_name.push(DnType::CountryName, "SE");
        ca.distinguished_name.push(DnType::OrganizationName, "A & \u{e9}");
        let mut params = CertificateParams::new(Vec::new()).unwrap();
        params.distinguished_name = rcgen::DistinguishedName::new();
        params.distinguished_name.push(DnType::CommonName, "client one");
        params.distinguished_name.push(DnType::CustomDnType(vec![1, 2, 840, 1]), "x");
        let cert = params.signed_by(&key, &Issuer::new(ca, &ca_key)).unwrap();
        let (subject, issuer) = names(cert.der()).unwrap();
        assert_eq!(subject, "/CN=client one/1.2.840.1=x");
        assert_eq!(issuer, "/C=SE/O=A & \\xC3\\xA9");
        for n in 0..cert.der().len() {
            let _ = (names(&cert.der()[..n]), validity(&cert.der()[..n]));
        }
        assert_eq!(names(&[]), None);
    }

    #[test]
    fn times_as_openssl_writes_them() {
        let mut params = CertificateParams::new(Vec::new()).unwrap();
        params.not_before = rcgen::date_time_ymd(1999, 2, 3);
        params.not_after = rcgen::date_time_ymd(2051, 12, 31);
        let cert = params.self_signed(&KeyPair::generate().unwrap()).unwrap();
        let expected = ["Feb  3 00:00:00 1999 GMT", "Dec 31 00:00:00 2051 GMT"];
        assert_eq!(validity(cert.der()), Some(expected.map(str::to_owned)));
        assert_eq!(time(0x17, b"491231235958Z").as_deref(), Some("Dec 31 23:59:58 2049 GMT"));
        assert_eq!(time(0x17, b"4913"), None);
    }
}
