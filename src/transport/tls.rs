//! Which authorities are trusted, and the TLS configuration made from them.
//!
//! The first of these that is there counts, alone: the user's certificates (`caFile`), the trust store of the JVM, the file that
//! `SSL_CERT_FILE` names, the roots of Mozilla that are built in. No file is read unless one of them names it, so that a
//! container without any certificates works, and nothing process-wide is installed.

use std::sync::Arc;

use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use rustls::{ClientConfig, RootCertStore};

use super::fields;
use crate::error::{Error, Result};
use crate::json::Json;

const SYSTEM_VARIABLE: &str = "SSL_CERT_FILE";

/// Where the trusted authorities come from.
#[derive(Debug)]
pub enum Roots {
    /// The user's, as PEM.
    Pem(Vec<u8>),
    /// The JVM's trust store, as DER.
    Der(Vec<CertificateDer<'static>>),
    /// What the system names, or the built-in ones.
    System,
}

impl Roots {
    pub fn read(frame: &Json<'_>) -> Result<Roots> {
        if let Some(pem) = frame.get("ca_pem") {
            return Ok(Roots::Pem(fields::bytes(pem, "ca_pem")?.to_vec()));
        }
        let store = fields::list(frame, "ca_der")?;
        if store.is_empty() {
            return Ok(Roots::System);
        }
        let certificates = store
            .iter()
            .map(|item| fields::bytes(item, "ca_der").map(|der| CertificateDer::from(der.to_vec())));
        certificates.collect::<Result<_>>().map(Roots::Der)
    }

    fn store(&self) -> Result<RootCertStore> {
        match self {
            Roots::Pem(pem) => from_pem(pem, "`caFile`"),
            Roots::Der(store) => from_der(store.iter().cloned(), "the trust store of the JVM"),
            Roots::System => match std::env::var_os(SYSTEM_VARIABLE).filter(|path| !path.is_empty()) {
                Some(path) => from_file(path),
                None => Ok(RootCertStore::from_iter(webpki_roots::TLS_SERVER_ROOTS.iter().cloned())),
            },
        }
    }
}

fn from_file(path: std::ffi::OsString) -> Result<RootCertStore> {
    let source = format!("the file that {SYSTEM_VARIABLE} names");
    let pem = std::fs::read(path).map_err(|error| Error::configuration(format!("{source} cannot be read: {error}")))?;
    from_pem(&pem, &source)
}

fn from_pem(pem: &[u8], source: &str) -> Result<RootCertStore> {
    let certificates: std::result::Result<Vec<_>, _> = CertificateDer::pem_slice_iter(pem).collect();
    match certificates {
        Ok(certificates) => from_der(certificates.into_iter(), source),
        Err(error) => Err(Error::configuration(format!("{source} is not valid PEM: {error}"))),
    }
}

/// One odd certificate in a bundle must not fail the client, but one at least has to be usable.
fn from_der(certificates: impl Iterator<Item = CertificateDer<'static>>, source: &str) -> Result<RootCertStore> {
    let mut store = RootCertStore::empty();
    let (added, ignored) = store.add_parsable_certificates(certificates);
    if added == 0 {
        return Err(Error::configuration(format!(
            "{source} holds no usable certificate ({ignored} could not be read); give PEM certificates of authorities"
        )));
    }
    Ok(store)
}

/// TLS 1.2 and 1.3 with ring, without client certificates.
pub fn client_config(roots: &Roots) -> Result<ClientConfig> {
    let config = ClientConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(|error| Error::configuration(format!("TLS cannot be set up: {error}")))?
        .with_root_certificates(roots.store()?)
        .with_no_client_auth();
    Ok(config)
}
