//! TLS towards the source, and the RSA encryption of a password.
//!
//! `SOURCE_SSL = 1` alone encrypts and checks nothing; with SOURCE_SSL_CA the source's certificate must be signed by
//! it; with SOURCE_SSL_VERIFY_SERVER_CERT it must name the host, too. With SOURCE_SSL_CRL it must not be revoked.
//! Folders (CAPATH, CRLPATH) are those that `openssl rehash` has made. Tested: `tests/binlog/test_replica.py`,
//! `test_replica_options.py`.

use crate::packed::{Algorithm, Packed};
use crate::settings::Settings;
use aws_lc_rs::rsa::{OAEP_SHA1_MGF1SHA1, OaepPublicEncryptingKey, PublicEncryptingKey};
use rustls::client::WebPkiServerVerifier;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::CryptoProvider;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{
    CertificateDer, CertificateRevocationListDer, PrivateKeyDer, ServerName, SubjectPublicKeyInfoDer, UnixTime,
};
use rustls::{
    CertificateError, ClientConfig, ClientConnection, DigitallySignedStruct, Error, StreamOwned, SupportedCipherSuite,
    SupportedProtocolVersion,
};
use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::sync::Arc;

/// The way to the source.
pub enum Stream {
    Plain(TcpStream),
    Local(UnixStream),
    Tls(Box<StreamOwned<ClientConnection, TcpStream>>),
    Packed(Box<Packed>),
    Closed,
}

impl Stream {
    /// Goes on compressed, if `how` says so.
    pub fn packed(self, how: Option<Algorithm>) -> Stream {
        match how {
            Some(how) => Stream::Packed(Box::new(Packed::new(self, how))),
            None => self,
        }
    }
}

impl Read for Stream {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        match self {
            Stream::Plain(s) => s.read(to),
            Stream::Local(s) => s.read(to),
            Stream::Tls(s) => s.read(to),
            Stream::Packed(s) => s.read(to),
            Stream::Closed => Err(io::ErrorKind::NotConnected.into()),
        }
    }
}

impl Write for Stream {
    fn write(&mut self, from: &[u8]) -> io::Result<usize> {
        match self {
            Stream::Plain(s) => s.write(from),
            Stream::Local(s) => s.write(from),
            Stream::Tls(s) => s.write(from),
            Stream::Packed(s) => s.write(from),
            Stream::Closed => Err(io::ErrorKind::NotConnected.into()),
        }
    }
    fn flush(&mut self) -> io::Result<()> {
        match self {
            Stream::Plain(s) => s.flush(),
            Stream::Local(s) => s.flush(),
            Stream::Tls(s) => s.flush(),
            Stream::Packed(s) => s.flush(),
            Stream::Closed => Ok(()),
        }
    }
}

/// Which certificates count.
#[derive(Debug)]
struct Verifier {
    /// Signed by the CA; `None`: any.
    signed: Option<Arc<WebPkiServerVerifier>>,
    /// It must name the host.
    named: bool,
    provider: Arc<CryptoProvider>,
}

impl ServerCertVerifier for Verifier {
    fn verify_server_cert(
        &self,
        end: &CertificateDer<'_>,
        between: &[CertificateDer<'_>],
        name: &ServerName<'_>,
        ocsp: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        let Some(signed) = &self.signed else { return Ok(ServerCertVerified::assertion()) };
        match signed.verify_server_cert(end, between, name, ocsp, now) {
            Err(Error::InvalidCertificate(
                CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. },
            )) if !self.named => Ok(ServerCertVerified::assertion()),
            other => other,
        }
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        if self.signed.is_none() {
            return Ok(HandshakeSignatureValid::assertion());
        }
        rustls::crypto::verify_tls12_signature(message, cert, dss, &self.provider.signature_verification_algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        if self.signed.is_none() {
            return Ok(HandshakeSignatureValid::assertion());
        }
        rustls::crypto::verify_tls13_signature(message, cert, dss, &self.provider.signature_verification_algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<rustls::SignatureScheme> {
        self.provider.signature_verification_algorithms.supported_schemes()
    }
}

fn other(e: impl std::fmt::Display) -> io::Error {
    io::Error::other(e.to_string())
}

fn certificates(path: &str) -> io::Result<Vec<CertificateDer<'static>>> {
    let text = std::fs::read(path).map_err(|e| other(format!("'{path}': {e}")))?;
    CertificateDer::pem_slice_iter(&text).collect::<Result<_, _>>().map_err(|e| other(format!("'{path}': {e}")))
}

/// The files of a folder whose names `openssl rehash` has made: eight digits, a point, `r` for lists of what is
/// revoked, a number.
fn hashed(folder: &str, lists: bool) -> io::Result<Vec<PathBuf>> {
    if folder.is_empty() {
        return Ok(Vec::new());
    }
    let named = |p: &PathBuf| {
        let (stem, end) = (p.file_stem().unwrap_or_default(), p.extension().unwrap_or_default().to_string_lossy());
        let number = end.strip_prefix('r');
        let digits = number.unwrap_or(&end);
        stem.len() == 8
            && stem.to_string_lossy().bytes().all(|b| b.is_ascii_hexdigit())
            && number.is_some() == lists
            && !digits.is_empty()
            && digits.bytes().all(|b| b.is_ascii_digit())
    };
    let files = std::fs::read_dir(folder).map_err(|e| other(format!("'{folder}': {e}")))?;
    let files: Vec<PathBuf> = files.map(|f| Ok(f?.path())).collect::<io::Result<_>>()?;
    Ok(files.into_iter().filter(named).collect())
}

/// A file, if one is named, and those of a folder.
fn files(file: &str, folder: &str, lists: bool) -> io::Result<Vec<String>> {
    let mut all = hashed(folder, lists)?;
    if !file.is_empty() {
        all.push(PathBuf::from(file));
    }
    Ok(all.into_iter().map(|p| p.to_string_lossy().into_owned()).collect())
}

fn revoked(path: &str) -> io::Result<Vec<CertificateRevocationListDer<'static>>> {
    let text = std::fs::read(path).map_err(|e| other(format!("'{path}': {e}")))?;
    let lists = CertificateRevocationListDer::pem_slice_iter(&text).collect::<Result<_, _>>();
    lists.map_err(|e| other(format!("'{path}': {e}")))
}

/// SOURCE_TLS_VERSION. Those that nobody should use any more are none, as in MySQL.
fn versions(s: &Settings) -> io::Result<Vec<&'static SupportedProtocolVersion>> {
    let all = [("TLSv1.3", &rustls::version::TLS13), ("TLSv1.2", &rustls::version::TLS12)];
    let said = |name: &str| s.tls_version.split(',').any(|v| v.trim().eq_ignore_ascii_case(name));
    let wanted = all.into_iter().filter(|(name, _)| s.tls_version.is_empty() || said(name)).map(|(_, v)| v);
    match wanted.collect::<Vec<_>>() {
        none if none.is_empty() => Err(other("TLS version is invalid")),
        some => Ok(some),
    }
}

/// SOURCE_TLS_CIPHERSUITES (of TLS 1.3) and SOURCE_SSL_CIPHER (of those before): the names that OpenSSL has for them.
/// What is not known here is passed over.
fn suites(all: &mut CryptoProvider, s: &Settings) -> io::Result<()> {
    let newer = |c: &SupportedCipherSuite| c.version().version == rustls::ProtocolVersion::TLSv1_3;
    for (list, of_newer) in [(s.tls_suites.as_deref(), true), (Some(&*s.ssl_cipher).filter(|l| !l.is_empty()), false)] {
        let Some(list) = list else { continue };
        let named = |c: &SupportedCipherSuite| {
            let name = openssl_name(c.suite().as_str().unwrap_or_default());
            list.split(':').any(|n| n.trim() == name)
        };
        all.cipher_suites.retain(|c| newer(c) != of_newer || named(c));
        if !list.is_empty() && !all.cipher_suites.iter().any(|c| newer(c) == of_newer) {
            return Err(other("Failed to set ciphers to use"));
        }
    }
    Ok(())
}

/// `TLS13_AES_128_GCM_SHA256` is `TLS_AES_128_GCM_SHA256`, `TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256`
/// `ECDHE-RSA-AES128-GCM-SHA256`.
fn openssl_name(name: &str) -> String {
    if let Some(rest) = name.strip_prefix("TLS13_") {
        return format!("TLS_{rest}");
    }
    let name = name.strip_prefix("TLS_").unwrap_or(name).replace("_WITH_", "_").replace('_', "-");
    let name = name.replace("AES-128", "AES128").replace("AES-256", "AES256");
    name.strip_suffix("POLY1305-SHA256").map(|n| format!("{n}POLY1305")).unwrap_or(name)
}

fn config(s: &Settings) -> io::Result<ClientConfig> {
    let mut provider = rustls::crypto::aws_lc_rs::default_provider();
    suites(&mut provider, s)?;
    let provider = Arc::new(provider);
    let (roots, lists) = (files(&s.ssl_ca, &s.ssl_capath, false)?, files(&s.ssl_crl, &s.ssl_crlpath, true)?);
    let signed = match roots.as_slice() {
        [] if s.ssl_verify => return Err(other("SOURCE_SSL_VERIFY_SERVER_CERT needs SOURCE_SSL_CA")),
        [] if !lists.is_empty() => return Err(other("SOURCE_SSL_CRL needs SOURCE_SSL_CA")),
        [] => None,
        paths => {
            let mut store = rustls::RootCertStore::empty();
            for path in paths {
                store.add_parsable_certificates(certificates(path)?);
            }
            let lists: Vec<Vec<_>> = lists.iter().map(|l| revoked(l)).collect::<io::Result<_>>()?;
            let builder = WebPkiServerVerifier::builder_with_provider(Arc::new(store), provider.clone());
            Some(builder.with_crls(lists.into_iter().flatten()).build().map_err(other)?)
        }
    };
    let verifier = Verifier { signed, named: s.ssl_verify, provider: provider.clone() };
    let builder = ClientConfig::builder_with_provider(provider)
        .with_protocol_versions(&versions(s)?)
        .map_err(other)?
        .dangerous()
        .with_custom_certificate_verifier(Arc::new(verifier));
    if s.ssl_cert.is_empty() {
        return Ok(builder.with_no_client_auth());
    }
    let key = std::fs::read(&s.ssl_key).map_err(|e| other(format!("'{}': {e}", s.ssl_key)))?;
    let key = PrivateKeyDer::from_pem_slice(&key).map_err(|e| other(format!("'{}': {e}", s.ssl_key)))?;
    builder.with_client_auth_cert(certificates(&s.ssl_cert)?, key).map_err(other)
}

/// The connection goes on encrypted.
pub fn wrap(plain: Stream, s: &Settings) -> io::Result<Stream> {
    let Stream::Plain(socket) = plain else { return Err(io::ErrorKind::NotConnected.into()) };
    let name = ServerName::try_from(s.host.clone()).map_err(other)?;
    let connection = ClientConnection::new(Arc::new(config(s)?), name).map_err(other)?;
    let mut stream = StreamOwned::new(connection, socket);
    while stream.conn.is_handshaking() {
        stream.conn.complete_io(&mut stream.sock)?;
    }
    Ok(Stream::Tls(Box::new(stream)))
}

/// Encrypts with an RSA key in PEM, as caching_sha2_password wants it.
pub fn encrypt(pem: &[u8], text: &[u8]) -> Option<Vec<u8>> {
    let der = SubjectPublicKeyInfoDer::from_pem_slice(pem).ok()?;
    let key = OaepPublicEncryptingKey::new(PublicEncryptingKey::from_der(&der).ok()?).ok()?;
    let mut out = vec![0; key.ciphertext_size()];
    key.encrypt(&OAEP_SHA1_MGF1SHA1, text, &mut out, None).ok().map(|sealed| sealed.to_vec())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_ciphers() {
        let all = rustls::crypto::aws_lc_rs::default_provider().cipher_suites;
        let mut names: Vec<String> = all.iter().map(|c| openssl_name(c.suite().as_str().unwrap_or_default())).collect();
        names.sort();
        let known = [
            "ECDHE-ECDSA-AES128-GCM-SHA256",
            "ECDHE-ECDSA-AES256-GCM-SHA384",
            "ECDHE-ECDSA-CHACHA20-POLY1305",
            "ECDHE-RSA-AES128-GCM-SHA256",
            "ECDHE-RSA-AES256-GCM-SHA384",
            "ECDHE-RSA-CHACHA20-POLY1305",
            "TLS_AES_128_GCM_SHA256",
            "TLS_AES_256_GCM_SHA384",
            "TLS_CHACHA20_POLY1305_SHA256",
        ];
        assert_eq!(names, known);
    }

    #[test]
    fn what_is_left_of_versions_and_suites() {
        let of = |version: &str, newer: Option<&str>, older: &str| {
            let s = Settings {
                tls_version: version.to_owned(),
                tls_suites: newer.map(str::to_owned),
                ssl_cipher: older.to_owned(),
                ..Settings::default()
            };
            let mut p = rustls::crypto::aws_lc_rs::default_provider();
            let left = suites(&mut p, &s).map(|()| p.cipher_suites.len());
            (versions(&s).map(|v| v.len()).unwrap_or(0), left.unwrap_or(99))
        };
        assert_eq!(of("", None, ""), (2, 9));
        assert_eq!(of("tlsv1.2", None, ""), (1, 9));
        assert_eq!(of("TLSv1.1, TLSv1.3", Some("TLS_AES_128_GCM_SHA256:TLS_AES_128_CCM_SHA256"), ""), (1, 7));
        assert_eq!(of("TLSv1.1", Some(""), ""), (0, 6));
        assert_eq!(of("x", Some("x"), ""), (0, 99));
        assert_eq!(of("", None, "AES:ECDHE-RSA-AES128-GCM-SHA256"), (2, 4));
        assert_eq!(of("", None, "AES"), (2, 99));
    }
}
