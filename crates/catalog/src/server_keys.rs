//! [`ServerKeys`]: what status variables say of the server's certificate and RSA key, so that monitoring sees in time
//! that a certificate ends. Set by whoever reads the files: the start and ALTER INSTANCE RELOAD TLS.

use parking_lot::RwLock;

/// Texts of status variables; empty where there is none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Shown {
    /// `Ssl_server_not_before` and `Ssl_server_not_after`.
    pub validity: [String; 2],
    /// `Caching_sha2_password_rsa_public_key`.
    pub rsa_public: String,
}

/// See the module.
#[derive(Debug, Default)]
pub struct ServerKeys(RwLock<Shown>);

impl ServerKeys {
    /// What holds now.
    pub fn shown(&self) -> Shown {
        self.0.read().clone()
    }

    /// Another certificate is used, or none.
    pub fn set_validity(&self, validity: Option<[String; 2]>) {
        self.0.write().validity = validity.unwrap_or_default();
    }

    /// The key that clients are given.
    pub fn set_rsa_public(&self, pem: &str) {
        pem.clone_into(&mut self.0.write().rsa_public);
    }
}
