//! The server's keys: TLS certificate and key, RSA pair for caching_sha2_password. Created in the data directory at first start under
//! MySQL's file names; existing files are never overwritten.
//!
//! A crash while they are created leaves some of them: TLS files are written with the certificate that proves completeness
//! (`server-cert.pem`) last, and the whole set is made anew when it is missing.

use aws_lc_rs::encoding::{AsDer, Pkcs8V1Der, PublicKeyX509Der};
use aws_lc_rs::rsa::{KeySize, OAEP_SHA1_MGF1SHA1, OaepPrivateDecryptingKey, PrivateDecryptingKey};
use rustls::RootCertStore;
use rustls::crypto::CryptoProvider;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::server::WebPkiClientVerifier;
use rustls::server::danger::ClientCertVerifier;
use rustls::sign::{CertifiedKey, SingleCertAndKey};
use std::fs;
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

fn other(e: impl std::fmt::Display) -> io::Error {
    io::Error::other(e.to_string())
}

fn write(path: &Path, text: &str, mode: u32) -> io::Result<()> {
    let mut f = fs::OpenOptions::new().write(true).create(true).truncate(true).mode(mode).open(path)?;
    f.write_all(text.as_bytes())?;
    f.sync_all()
}

/// PEM with 64 characters per line.
fn pem(label: &str, der: &[u8]) -> String {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = Vec::with_capacity(der.len() * 4 / 3 + 4);
    for three in der.chunks(3) {
        let at = |i: usize| u32::from(three.get(i).copied().unwrap_or(0));
        let word = at(0) << 16 | at(1) << 8 | at(2);
        for i in 0..4usize {
            let c = ALPHABET.get((word >> (18 - 6 * i) & 63) as usize).copied().unwrap_or(b'A');
            text.push(if i <= three.len() { c } else { b'=' });
        }
    }
    let mut out = format!("-----BEGIN {label}-----\n");
    for line in text.chunks(64) {
        out.push_str(&String::from_utf8_lossy(line));
        out.push('\n');
    }
    out.push_str(&format!("-----END {label}-----\n"));
    out
}

/// The RSA pair with which clients without TLS encrypt their password.
pub struct RsaKey {
    private: OaepPrivateDecryptingKey,
    /// `public_key.pem`'s text, sent to clients that ask for it.
    pub public_pem: String,
}

impl RsaKey {
    /// Reads the pair, or creates it if `create` and there is none.
    pub fn open(private: &Path, public: &Path, create: bool) -> io::Result<RsaKey> {
        let key = match fs::read(private) {
            Ok(text) => {
                let der = PrivateKeyDer::from_pem_slice(&text).map_err(other)?;
                match der {
                    PrivateKeyDer::Pkcs8(k) => PrivateDecryptingKey::from_pkcs8(k.secret_pkcs8_der()).map_err(other)?,
                    _ => return Err(other(format!("'{}' is not in PKCS #8 form", private.display()))),
                }
            }
            Err(e) if e.kind() == io::ErrorKind::NotFound && create => {
                let key = PrivateDecryptingKey::generate(KeySize::Rsa2048).map_err(other)?;
                let der: Pkcs8V1Der<'static> = key.as_der().map_err(other)?;
                write(private, &pem("PRIVATE KEY", der.as_ref()), 0o600)?;
                key
            }
            Err(e) => return Err(e),
        };
        let der: PublicKeyX509Der<'static> = key.public_key().as_der().map_err(other)?;
        let public_pem = pem("PUBLIC KEY", der.as_ref());
        if create && !public.exists() {
            write(public, &public_pem, 0o644)?;
        }
        Ok(RsaKey { private: OaepPrivateDecryptingKey::new(key).map_err(other)?, public_pem })
    }

    /// RSA-OAEP with SHA-1. `None` for what was not encrypted with our key.
    pub fn decrypt(&self, cipher: &[u8]) -> Option<Vec<u8>> {
        let mut out = vec![0; self.private.min_output_size()];
        self.private.decrypt(&OAEP_SHA1_MGF1SHA1, cipher, &mut out, None).ok().map(|p| p.to_vec())
    }
}

/// The certificate is for the key: it holds its public half. For certificates that rustls does not read, which are those of version 1, as the manual's example
/// makes them ("Creating SSL Certificates and Keys Using openssl"); whether they are good is the client's to judge.
fn holds_key(own: &CertifiedKey) -> bool {
    let (Some(public), Ok(cert)) = (own.key.public_key(), own.end_entity_cert()) else { return false };
    cert.windows(public.len().max(1)).any(|part| part == public.as_ref())
}

/// Paths of the TLS files.
#[derive(Clone, Debug)]
pub struct TlsFiles {
    /// CA certificate.
    pub ca: PathBuf,
    /// Server certificate (chain).
    pub cert: PathBuf,
    /// Server key.
    pub key: PathBuf,
    /// `ssl_session_cache_mode`: sessions can be resumed.
    pub resume: bool,
}

impl TlsFiles {
    /// Creates a CA (whose key is not kept), certificates of the server and of a client (`client-cert.pem`) signed by it and their keys. Elliptic curve P-256: made in a millisecond.
    pub fn create(&self, hostname: &str) -> io::Result<()> {
        use rcgen::{BasicConstraints, CertificateParams, DnType, IsCa, Issuer, KeyPair, KeyUsagePurpose};
        let ca_key = KeyPair::generate().map_err(other)?;
        let mut ca = CertificateParams::new(Vec::new()).map_err(other)?;
        ca.distinguished_name.push(DnType::CommonName, "Evenkeel_Server_Auto_Generated_CA_Certificate");
        ca.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        ca.key_usages = vec![KeyUsagePurpose::KeyCertSign, KeyUsagePurpose::CrlSign];
        let mut names = vec!["localhost".to_owned(), "127.0.0.1".to_owned(), "::1".to_owned()];
        if !names.iter().any(|n| n == hostname) && !hostname.is_empty() {
            names.push(hostname.to_owned());
        }
        let key = KeyPair::generate().map_err(other)?;
        let mut server = CertificateParams::new(names).map_err(other)?;
        server.distinguished_name.push(DnType::CommonName, "Evenkeel_Server_Auto_Generated_Server_Certificate");
        let ca_cert = ca.self_signed(&ca_key).map_err(other)?;
        let issuer = Issuer::new(ca, &ca_key);
        let cert = server.signed_by(&key, &issuer).map_err(other)?;
        let client_key = KeyPair::generate().map_err(other)?;
        let mut client = CertificateParams::new(Vec::new()).map_err(other)?;
        client.distinguished_name.push(DnType::CommonName, "Evenkeel_Server_Auto_Generated_Client_Certificate");
        let client = client.signed_by(&client_key, &issuer).map_err(other)?;
        write(&self.ca.with_file_name("client-key.pem"), &client_key.serialize_pem(), 0o600)?;
        write(&self.ca.with_file_name("client-cert.pem"), &client.pem(), 0o644)?;
        write(&self.ca, &ca_cert.pem(), 0o644)?;
        write(&self.key, &key.serialize_pem(), 0o600)?;
        write(&self.cert, &cert.pem(), 0o644)
    }

    /// Clients may show a certificate; one that the CA has not signed ends the handshake. What an account asks for is looked at later.
    fn verifier(&self, provider: Arc<CryptoProvider>) -> io::Result<Arc<dyn ClientCertVerifier>> {
        let mut roots = RootCertStore::empty();
        match fs::read(&self.ca) {
            Ok(text) => {
                let certs = CertificateDer::pem_slice_iter(&text).collect::<Result<Vec<_>, _>>().map_err(other)?;
                roots.add_parsable_certificates(certs);
            }
            Err(e) if e.kind() == io::ErrorKind::NotFound => {}
            Err(e) => return Err(e),
        }
        if roots.is_empty() {
            return Ok(WebPkiClientVerifier::no_client_auth());
        }
        WebPkiClientVerifier::builder_with_provider(Arc::new(roots), provider)
            .allow_unauthenticated()
            .build()
            .map_err(other)
    }

    /// The TLS configuration: versions 1.2 and 1.3, certificates of clients if they have any.
    pub fn load(&self) -> io::Result<Arc<rustls::ServerConfig>> {
        let text = fs::read(&self.cert)?;
        let certs = CertificateDer::pem_slice_iter(&text).collect::<Result<Vec<_>, _>>().map_err(other)?;
        let key = PrivateKeyDer::from_pem_slice(&fs::read(&self.key)?).map_err(other)?;
        let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
        let own = CertifiedKey::new(certs, provider.key_provider.load_private_key(key).map_err(other)?);
        match own.keys_match() {
            Ok(()) | Err(rustls::Error::InconsistentKeys(rustls::InconsistentKeys::Unknown)) => {}
            Err(rustls::Error::InvalidCertificate(_)) if holds_key(&own) => {}
            Err(e) => return Err(other(e)),
        }
        let mut config = rustls::ServerConfig::builder_with_provider(provider.clone())
            .with_protocol_versions(&[&rustls::version::TLS13, &rustls::version::TLS12])
            .map_err(other)?
            .with_client_cert_verifier(self.verifier(provider)?)
            .with_cert_resolver(Arc::new(SingleCertAndKey::from(own)));
        if !self.resume {
            config.session_storage = Arc::new(rustls::server::NoServerSessionStorage {});
            config.send_tls13_tickets = 0;
        }
        Ok(Arc::new(config))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use aws_lc_rs::rsa::{OaepPublicEncryptingKey, PublicEncryptingKey};

    #[test]
    fn keys_are_made_once_and_work() {
        let dir = std::env::temp_dir().join(format!("evenkeel-keys-{}", std::process::id()));
        fs::create_dir_all(&dir).unwrap();
        let (private, public) = (dir.join("private_key.pem"), dir.join("public_key.pem"));
        assert!(RsaKey::open(&private, &public, false).is_err());
        let a = RsaKey::open(&private, &public, true).unwrap();
        let b = RsaKey::open(&private, &public, true).unwrap();
        assert_eq!(a.public_pem, b.public_pem);
        assert_eq!(fs::read_to_string(&public).unwrap(), a.public_pem);
        let der = rustls::pki_types::SubjectPublicKeyInfoDer::from_pem_slice(a.public_pem.as_bytes()).unwrap();
        let enc = OaepPublicEncryptingKey::new(PublicEncryptingKey::from_der(&der).unwrap()).unwrap();
        let mut out = vec![0; enc.ciphertext_size()];
        let cipher = enc.encrypt(&OAEP_SHA1_MGF1SHA1, b"hello", &mut out, None).unwrap();
        assert_eq!(b.decrypt(cipher).unwrap(), b"hello");
        assert_eq!(b.decrypt(b"nonsense"), None);
        let tls = TlsFiles {
            ca: dir.join("ca.pem"),
            cert: dir.join("server-cert.pem"),
            key: dir.join("server-key.pem"),
            resume: true,
        };
        tls.create("myhost").unwrap();
        tls.load().unwrap();
        fs::remove_dir_all(&dir).unwrap();
    }
}
