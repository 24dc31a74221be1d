//! REQUIRE of an account: what its connections must show of TLS. Manual, "CREATE USER SSL/TLS Options".
//!
//! Checked when a client has proven its password (`wire::serve`). Names of certificates are compared as OpenSSL writes them on one line
//! (`/C=SE/O=x/CN=y`), letter by letter, and so is the cipher.

/// What REQUIRE asks for.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum TlsRequirement {
    /// Nothing.
    #[default]
    None,
    /// TLS.
    Ssl,
    /// A certificate of the client that `ssl_ca` has signed.
    X509,
    /// Such a certificate and what is given of these; an empty text is not asked for.
    Specified {
        /// SUBJECT.
        subject: String,
        /// ISSUER.
        issuer: String,
        /// CIPHER.
        cipher: String,
    },
}

/// What a connection has to show.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct TlsPeer {
    /// The cipher in OpenSSL's words.
    pub cipher: String,
    /// Subject and issuer of the client's certificate, which has been verified.
    pub certificate: Option<(String, String)>,
}

impl TlsRequirement {
    /// Whether a connection will do; `None`: it has no TLS.
    pub fn is_met(&self, peer: Option<&TlsPeer>) -> bool {
        let certificate = peer.and_then(|p| p.certificate.as_ref());
        let fits = |wanted: &str, have: &str| wanted.is_empty() || wanted == have;
        match self {
            TlsRequirement::None => true,
            TlsRequirement::Ssl => peer.is_some(),
            TlsRequirement::X509 => certificate.is_some(),
            TlsRequirement::Specified { subject, issuer, cipher } => {
                peer.is_some_and(|p| fits(cipher, &p.cipher))
                    && certificate.is_some_and(|(s, i)| fits(subject, s) && fits(issuer, i))
            }
        }
    }

    /// `mysql.user.ssl_type`.
    pub fn kind(&self) -> &'static str {
        match self {
            TlsRequirement::None => "",
            TlsRequirement::Ssl => "ANY",
            TlsRequirement::X509 => "X509",
            TlsRequirement::Specified { .. } => "SPECIFIED",
        }
    }

    /// Subject, issuer and cipher.
    pub fn attributes(&self) -> [&str; 3] {
        match self {
            TlsRequirement::Specified { subject, issuer, cipher } => [subject, issuer, cipher],
            _ => [""; 3],
        }
    }

    /// What [`TlsRequirement::kind`] and [`TlsRequirement::attributes`] gave; `None`: no such kind.
    pub fn from_parts(kind: &str, attributes: [String; 3]) -> Option<TlsRequirement> {
        let [subject, issuer, cipher] = attributes;
        Some(match kind {
            "" => TlsRequirement::None,
            "ANY" => TlsRequirement::Ssl,
            "X509" => TlsRequirement::X509,
            "SPECIFIED" => TlsRequirement::Specified { subject, issuer, cipher },
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_asked_for_must_be_there() {
        let plain = TlsPeer { cipher: "A".into(), certificate: None };
        let known = TlsPeer { certificate: Some(("/CN=s".into(), "/CN=i".into())), ..plain.clone() };
        let specified =
            |s: &str, i: &str, c: &str| TlsRequirement::from_parts("SPECIFIED", [s, i, c].map(str::to_owned)).unwrap();
        let met = |r: &TlsRequirement| [None, Some(&plain), Some(&known)].map(|p| r.is_met(p));
        assert_eq!(met(&TlsRequirement::None), [true; 3]);
        assert_eq!(met(&TlsRequirement::Ssl), [false, true, true]);
        assert_eq!(met(&TlsRequirement::X509), [false, false, true]);
        assert_eq!(met(&specified("/CN=s", "/CN=i", "A")), [false, false, true]);
        assert_eq!(met(&specified("", "", "A")), [false, false, true], "a certificate is asked for in any case");
        for other in [specified("/CN=S", "", ""), specified("", "/CN=s", ""), specified("", "", "B")] {
            assert_eq!(met(&other), [false; 3]);
        }
    }
}
