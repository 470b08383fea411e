//! A private authority, and an HTTPS server whose certificate it signs.
#![allow(dead_code)] // each test file uses its part

use std::io::BufReader;
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;

use rcgen::{BasicConstraints, Certificate, CertificateParams, IsCa, Issuer, KeyPair, date_time_ymd};
use rustls::pki_types::PrivatePkcs8KeyDer;
use rustls::{ServerConfig, ServerConnection, StreamOwned};

use crate::transport_support::{answer, read_request};

pub struct Authority {
    certificate: Certificate,
    issuer: Issuer<'static, KeyPair>,
}

impl Authority {
    pub fn new() -> Authority {
        let key = KeyPair::generate().expect("a key");
        let mut params = CertificateParams::new(Vec::new()).expect("parameters");
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let certificate = params.self_signed(&key).expect("a certificate");
        Authority {
            certificate,
            issuer: Issuer::new(params, key),
        }
    }

    pub fn pem(&self) -> Vec<u8> {
        self.certificate.pem().into_bytes()
    }

    pub fn der(&self) -> Vec<u8> {
        self.certificate.der().to_vec()
    }

    /// Starts a server that answers each request with 200, under a certificate for `name`.
    pub fn serve(&self, name: &str, last_year: i32) -> SocketAddr {
        let key = KeyPair::generate().expect("a key");
        let mut params = CertificateParams::new(vec![name.to_owned()]).expect("parameters");
        params.not_before = date_time_ymd(2000, 1, 1);
        params.not_after = date_time_ymd(last_year, 1, 1);
        let certificate = params.signed_by(&key, &self.issuer).expect("a certificate");
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let config = ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .expect("protocols")
            .with_no_client_auth()
            .with_single_cert(
                vec![certificate.der().clone()],
                PrivatePkcs8KeyDer::from(key.serialize_der()).into(),
            );
        let config = Arc::new(config.expect("a server configuration"));
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let address = listener.local_addr().expect("an address");
        std::thread::spawn(move || {
            for connection in listener.incoming().flatten() {
                let session = ServerConnection::new(config.clone()).expect("a session");
                std::thread::spawn(move || {
                    let mut stream = BufReader::new(StreamOwned::new(session, connection));
                    while read_request(&mut stream).is_some() && answer(stream.get_mut(), "200 OK", "", b"secure") {}
                });
            }
        });
        address
    }
}
