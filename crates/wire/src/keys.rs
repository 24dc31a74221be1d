//! The server's keys: TLS certificate and key, RSA pair for caching_sha2_password. Created in the data directory at first start under
//! MySQL's file names; existing files are never overwritten.
//!
//! A set is made in a folder of its own, which gets its name ([`NEW_TLS`], [`NEW_RSA`]) when it is complete; then the files are linked to
//! their places and the folder goes. What a crash leaves in between, the next start finishes ([`place`]). Linking never replaces a file.

use aws_lc_rs::encoding::{AsDer, Pkcs8V1Der, PublicKeyX509Der};
use aws_lc_rs::rsa::{KeySize, OAEP_SHA1_MGF1SHA1, OaepPrivateDecryptingKey, PrivateDecryptingKey};
use rustls::RootCertStore;
use rustls::crypto::CryptoProvider;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, SubjectPublicKeyInfoDer};
use rustls::server::WebPkiClientVerifier;
use rustls::server::danger::ClientCertVerifier;
use rustls::sign::{CertifiedKey, SingleCertAndKey};
use std::fs;
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;

fn other(e: impl std::fmt::Display) -> io::Error {
    io::Error::other(e.to_string())
}

/// A complete new set of TLS files on its way to its places, beside the CA certificate's.
const NEW_TLS: &str = "#tls_new";
/// The same of the RSA pair.
const NEW_RSA: &str = "#rsa_new";

/// The error with the file's name before it.
fn at(path: &Path, e: impl std::fmt::Display) -> io::Error {
    other(format!("'{}': {e}", path.display()))
}

fn read(path: &Path) -> io::Result<Vec<u8>> {
    fs::read(path).map_err(|e| at(path, e))
}

/// One file of a set: where it belongs, its text and its mode.
type NewFile = (PathBuf, String, u32);

fn folder_of(first: &Path, name: &str) -> PathBuf {
    first.with_file_name(name)
}

/// Writes a set to `folder`, complete or not at all, then puts the files in their places.
fn create_set(folder: &Path, files: &[NewFile]) -> io::Result<()> {
    let part = folder.with_extension("part");
    let _ = fs::remove_dir_all(&part);
    fs::DirBuilder::new().mode(0o700).create(&part).map_err(|e| at(&part, e))?;
    for (to, text, mode) in files {
        let path = part.join(to.file_name().unwrap_or_default());
        let mut f =
            fs::OpenOptions::new().write(true).create_new(true).mode(*mode).open(&path).map_err(|e| at(&path, e))?;
        // what is for everybody is so under any umask
        f.set_permissions(fs::Permissions::from_mode(*mode)).map_err(|e| at(&path, e))?;
        f.write_all(text.as_bytes()).and_then(|()| f.sync_all()).map_err(|e| at(&path, e))?;
    }
    sys::file::Dir::sync(&part)?;
    sys::file::Dir::rename(&part, folder).map_err(|e| at(folder, e))?;
    place(folder, &files.iter().map(|(to, ..)| to.as_path()).collect::<Vec<_>>())
}

/// Puts a complete set in its places if there is one; a place that has another file already stays as it is, and the set is given up.
fn place(folder: &Path, places: &[&Path]) -> io::Result<()> {
    if !folder.is_dir() {
        return Ok(());
    }
    let from = |to: &Path| folder.join(to.file_name().unwrap_or_default());
    let taken = |to: &&&Path| to.exists() && fs::read(to).ok() != fs::read(from(to)).ok();
    if !places.iter().any(|to| taken(&to)) {
        for to in places.iter().filter(|to| !to.exists()) {
            fs::hard_link(from(to), to).map_err(|e| at(to, e))?;
        }
        sys::file::Dir::sync(folder.parent().unwrap_or(Path::new(".")))?;
    }
    fs::remove_dir_all(folder).map_err(|e| at(folder, e))
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
    /// Reads the pair, or creates it if `create` and neither file exists. The error names the file that failed.
    pub fn open(private: &Path, public: &Path, create: bool) -> io::Result<RsaKey> {
        let folder = folder_of(private, NEW_RSA);
        if create {
            place(&folder, &[private, public])?;
            if !private.exists() && !public.exists() {
                let key = PrivateDecryptingKey::generate(KeySize::Rsa2048).map_err(other)?;
                let der: Pkcs8V1Der<'static> = key.as_der().map_err(other)?;
                let half: PublicKeyX509Der<'static> = key.public_key().as_der().map_err(other)?;
                let files = [
                    (private.to_owned(), pem("PRIVATE KEY", der.as_ref()), 0o600),
                    (public.to_owned(), pem("PUBLIC KEY", half.as_ref()), 0o644),
                ];
                create_set(&folder, &files)?;
            }
        }
        let key = match PrivateKeyDer::from_pem_slice(&read(private)?).map_err(|e| at(private, e))? {
            PrivateKeyDer::Pkcs8(k) => {
                PrivateDecryptingKey::from_pkcs8(k.secret_pkcs8_der()).map_err(|e| at(private, e))?
            }
            _ => return Err(at(private, "is not in PKCS #8 form")),
        };
        let der: PublicKeyX509Der<'static> = key.public_key().as_der().map_err(other)?;
        let public_pem = pem("PUBLIC KEY", der.as_ref());
        // clients are given this file: an old one, or another pair's, would make them send what nobody can read
        let named = read(public)?;
        let half = |text: &[u8]| SubjectPublicKeyInfoDer::from_pem_slice(text).ok();
        if half(&named) != half(public_pem.as_bytes()) {
            return Err(at(public, format!("does not belong to '{}'", private.display())));
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
    /// Somebody wants that one: without the file there is no TLS. (By default the name is a guess; without it no client's certificate can be checked.)
    pub ca_named: bool,
    /// Server certificate (chain).
    pub cert: PathBuf,
    /// Server key.
    pub key: PathBuf,
    /// `ssl_session_cache_mode`: sessions can be resumed.
    pub resume: bool,
}

impl TlsFiles {
    /// Where a new set's files belong: the three named, and a client's pair beside the CA certificate.
    fn places(&self) -> [PathBuf; 5] {
        let beside = |name: &str| self.ca.with_file_name(name);
        [beside("client-key.pem"), beside("client-cert.pem"), self.ca.clone(), self.key.clone(), self.cert.clone()]
    }

    /// Makes a set, unless one of its files exists.
    pub fn create_if_none(&self, hostname: &str) -> io::Result<()> {
        let places = self.places();
        place(&folder_of(&self.ca, NEW_TLS), &places.each_ref().map(PathBuf::as_path))?;
        if places.iter().any(|p| p.exists()) { Ok(()) } else { self.create(hostname) }
    }

    /// Creates a CA (whose key is not kept), certificates of the server and of a client (`client-cert.pem`) signed by it and their keys. Elliptic curve P-256: made in a millisecond.
    fn create(&self, hostname: &str) -> io::Result<()> {
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
        let [client_key_at, client_at, ca_at, key_at, cert_at] = self.places();
        let files = [
            (client_key_at, client_key.serialize_pem(), 0o600),
            (client_at, client.pem(), 0o644),
            (ca_at, ca_cert.pem(), 0o644),
            (key_at, key.serialize_pem(), 0o600),
            (cert_at, cert.pem(), 0o644),
        ];
        create_set(&folder_of(&self.ca, NEW_TLS), &files)
    }

    /// Clients may show a certificate; one that the CA has not signed ends the handshake. What an account asks for is looked at later.
    fn verifier(&self, provider: Arc<CryptoProvider>) -> io::Result<Arc<dyn ClientCertVerifier>> {
        let mut roots = RootCertStore::empty();
        match fs::read(&self.ca) {
            Ok(text) => {
                let certs: Vec<_> =
                    CertificateDer::pem_slice_iter(&text).collect::<Result<_, _>>().map_err(|e| at(&self.ca, e))?;
                roots.add_parsable_certificates(certs);
            }
            Err(e) if e.kind() == io::ErrorKind::NotFound && !self.ca_named => {}
            Err(e) => return Err(at(&self.ca, e)),
        }
        if roots.is_empty() {
            return Ok(WebPkiClientVerifier::no_client_auth());
        }
        WebPkiClientVerifier::builder_with_provider(Arc::new(roots), provider)
            .allow_unauthenticated()
            .build()
            .map_err(other)
    }

    /// From when to when the certificate is good, as OpenSSL writes it (`Nov 28 20:53:39 2026 GMT`).
    pub fn validity(&self) -> Option<[String; 2]> {
        let first = CertificateDer::pem_slice_iter(&read(&self.cert).ok()?).next()?.ok()?;
        crate::certificate::validity(&first)
    }

    /// The TLS configuration: versions 1.2 and 1.3, certificates of clients if they have any.
    pub fn load(&self) -> io::Result<Arc<rustls::ServerConfig>> {
        let text = read(&self.cert)?;
        let certs: Vec<_> =
            CertificateDer::pem_slice_iter(&text).collect::<Result<_, _>>().map_err(|e| at(&self.cert, e))?;
        if certs.is_empty() {
            return Err(at(&self.cert, "no certificate in it"));
        }
        let key = PrivateKeyDer::from_pem_slice(&read(&self.key)?).map_err(|e| at(&self.key, e))?;
        let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
        let own = CertifiedKey::new(certs, provider.key_provider.load_private_key(key).map_err(|e| at(&self.key, e))?);
        match own.keys_match() {
            Ok(()) | Err(rustls::Error::InconsistentKeys(rustls::InconsistentKeys::Unknown)) => {}
            Err(rustls::Error::InvalidCertificate(_)) if holds_key(&own) => {}
            Err(e) => return Err(at(&self.cert, format!("{e} (key: '{}')", self.key.display()))),
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
            ca_named: false,
            resume: true,
        };
        tls.create_if_none("myhost").unwrap();
        tls.load().unwrap();
        let ca = fs::read(&tls.ca).unwrap();
        tls.create_if_none("myhost").unwrap();
        assert_eq!(fs::read(&tls.ca).unwrap(), ca);
        // one file is gone: no new set over the others, and the message names it
        fs::remove_file(&tls.cert).unwrap();
        tls.create_if_none("myhost").unwrap();
        assert!(!tls.cert.exists() && fs::read(&tls.ca).unwrap() == ca);
        let e = tls.load().unwrap_err().to_string();
        assert!(e.contains("server-cert.pem"), "{e}");
        // a crash before all files were in their places
        fs::remove_file(&tls.key).unwrap();
        for p in tls.places() {
            let _ = fs::remove_file(p);
        }
        tls.create_if_none("myhost").unwrap();
        let folder = dir.join(NEW_TLS);
        fs::create_dir(&folder).unwrap();
        for p in tls.places() {
            fs::copy(&p, folder.join(p.file_name().unwrap())).unwrap();
        }
        fs::remove_file(&tls.cert).unwrap();
        tls.create_if_none("myhost").unwrap();
        tls.load().unwrap();
        assert!(!folder.exists());
        // and one that somebody has filled meanwhile
        fs::create_dir(&folder).unwrap();
        for p in tls.places() {
            fs::write(folder.join(p.file_name().unwrap()), "x").unwrap();
        }
        tls.create_if_none("myhost").unwrap();
        assert!(tls.load().is_ok() && !folder.exists());
        fs::write(&public, "-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n").unwrap();
        let e = RsaKey::open(&private, &public, true).err().unwrap().to_string();
        assert!(e.contains("public_key.pem"), "{e}");
        fs::remove_file(&private).unwrap();
        let e = RsaKey::open(&private, &public, true).err().unwrap().to_string();
        assert!(e.contains("private_key.pem") && !private.exists(), "{e}");
        fs::remove_dir_all(&dir).unwrap();
    }
}
