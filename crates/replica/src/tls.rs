//! TLS towards the source, and the RSA encryption of a password.
//!
//! `SOURCE_SSL = 1` alone encrypts and checks nothing; with SOURCE_SSL_CA the source's certificate must be signed by
//! it; with SOURCE_SSL_VERIFY_SERVER_CERT it must name the host, too. Tested: `tests/binlog/test_replica.py`.

use crate::packed::{Algorithm, Packed};
use crate::settings::Settings;
use aws_lc_rs::rsa::{OAEP_SHA1_MGF1SHA1, OaepPublicEncryptingKey, PublicEncryptingKey};
use rustls::client::WebPkiServerVerifier;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::CryptoProvider;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName, SubjectPublicKeyInfoDer, UnixTime};
use rustls::{CertificateError, ClientConfig, ClientConnection, DigitallySignedStruct, Error, StreamOwned};
use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::os::unix::net::UnixStream;
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

fn config(s: &Settings) -> io::Result<ClientConfig> {
    let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
    let signed = match s.ssl_ca.as_str() {
        "" if s.ssl_verify => return Err(other("SOURCE_SSL_VERIFY_SERVER_CERT needs SOURCE_SSL_CA")),
        "" => None,
        path => {
            let mut roots = rustls::RootCertStore::empty();
            roots.add_parsable_certificates(certificates(path)?);
            let built = WebPkiServerVerifier::builder_with_provider(Arc::new(roots), provider.clone()).build();
            Some(built.map_err(other)?)
        }
    };
    let verifier = Verifier { signed, named: s.ssl_verify, provider: provider.clone() };
    let builder = ClientConfig::builder_with_provider(provider)
        .with_protocol_versions(&[&rustls::version::TLS13, &rustls::version::TLS12])
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
