//! The certificate that the coordinator shows, and its key.

use std::fmt;
use std::sync::Arc;

use tokio_rustls::rustls;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};

/// What the coordinator is known by. Checked when it is made; `Debug` does not show the key.
#[derive(Clone)]
pub struct Identity {
    certificate: Arc<[u8]>,
    key: Arc<[u8]>,
    http: Arc<ServerConfig>,
}

impl fmt::Debug for Identity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Identity(…)")
    }
}

/// Why a certificate and a key cannot be used. Says nothing of the key.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum IdentityError {
    /// *Another certificate.*
    #[error("the certificate cannot be used: {0}")]
    Certificate(String),
    /// *Another key.*
    #[error("the key cannot be used: it is not a private key in PEM")]
    Key,
    /// *The key of this certificate.*
    #[error("certificate and key do not belong together: {0}")]
    Pair(String),
}

impl Identity {
    /// Takes a chain of certificates, the coordinator's own first, and its private key, both as PEM.
    pub fn new(certificate: Vec<u8>, key: Vec<u8>) -> Result<Self, IdentityError> {
        let chain: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(&certificate).collect();
        let chain = chain.map_err(|error| IdentityError::Certificate(error.to_string()))?;
        if chain.is_empty() {
            let what = "there is no certificate in PEM in it".to_owned();
            return Err(IdentityError::Certificate(what));
        }
        let private = PrivateKeyDer::from_pem_slice(&key).map_err(|_| IdentityError::Key)?;
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let pair = |error: rustls::Error| IdentityError::Pair(error.to_string());
        let mut http = ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .map_err(pair)?
            .with_no_client_auth()
            .with_single_cert(chain, private)
            .map_err(pair)?;
        http.alpn_protocols = vec![b"http/1.1".to_vec()];
        Ok(Self {
            certificate: certificate.into(),
            key: key.into(),
            http: Arc::new(http),
        })
    }

    /// For the gRPC server.
    pub(crate) fn grpc(&self) -> tonic::transport::Identity {
        tonic::transport::Identity::from_pem(&self.certificate, &self.key)
    }

    /// For the HTTP server.
    pub(crate) fn http(&self) -> Arc<ServerConfig> {
        Arc::clone(&self.http)
    }
}
