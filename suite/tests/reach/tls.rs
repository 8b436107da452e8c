//! Servers at `https`: whose certificates are trusted, and `--insecure`.

use std::net::TcpStream;
use std::sync::Arc;

use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::{ServerConfig, ServerConnection, StreamOwned};

use crate::front::{Front, Wrap, mcp};
use crate::{Run, check};

/// The authority that signed the certificate of the test, until 2126. Its key is thrown away.
const AUTHORITY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/reach/tls/authority.pem");

/// TLS with the certificate of the test, which is for `localhost` and 127.0.0.1.
struct Tls(Arc<ServerConfig>);

impl Tls {
    fn new() -> Tls {
        let certificate = CertificateDer::from_pem_slice(include_bytes!("tls/server.pem"));
        let key = PrivateKeyDer::from_pem_slice(include_bytes!("tls/server.key"));
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let config = ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .expect("the provider has them")
            .with_no_client_auth()
            .with_single_cert(
                vec![certificate.expect("it is a certificate")],
                key.expect("it is a key"),
            );
        Tls(Arc::new(config.expect("key and certificate fit")))
    }
}

impl Wrap for Tls {
    type Stream = StreamOwned<ServerConnection, TcpStream>;

    fn wrap(&self, stream: TcpStream) -> Self::Stream {
        let session = ServerConnection::new(Arc::clone(&self.0));
        StreamOwned::new(session.expect("the configuration is right"), stream)
    }
}

fn front() -> Front {
    Front::over(Tls::new(), "127.0.0.1", mcp)
}

fn url(front: &Front, host: &str) -> String {
    format!("https://{host}:{}/mcp", front.address.port())
}

/// A case of each client: the conforming one, and the one that sets its headers itself.
fn judged(variables: &[(&str, &str)], arguments: &[&str]) -> Run {
    let always = ["--case", "http/version-header/mismatch"];
    check(variables, &[&always[..], arguments].concat())
}

#[test]
fn a_certificate_of_an_unknown_issuer_is_one_message_that_names_the_option() {
    let front = front();
    let run = judged(&[], &[&url(&front, "127.0.0.1")]);
    assert_eq!(run.code, Some(3), "{}", run.said);
    let expected = format!(
        "{} is not reached: its certificate is not trusted: its issuer is unknown; --insecure accepts any, and SSL_CERT_FILE=FILE trusts an issuer of your own",
        url(&front, "127.0.0.1")
    );
    assert_eq!(run.unusable(), expected);
    assert_eq!(front.asked().len(), 0);
}

#[test]
fn with_insecure_it_is_judged_and_every_report_says_so() {
    let front = front();
    for host in ["127.0.0.1", "localhost"] {
        let url = url(&front, host);
        let folder = tempfile::tempdir().expect("a folder can be made");
        let file = folder.path().join("junit.xml");
        let junit = format!("junit={}", file.display());
        let run = judged(&[], &["--insecure", "--report", &junit, &url]);
        assert_ne!(run.code, Some(3), "{}", run.said);
        assert_eq!(run.report["targets"][0]["insecure"], true);
        let warning = format!("warning: --insecure: any certificate is accepted for {url}");
        assert!(run.stderr.starts_with(&warning), "{}", run.said);
        let junit = std::fs::read_to_string(&file).expect("the report is written");
        assert!(
            junit.contains("certificate was accepted (--insecure)"),
            "{junit}"
        );
        assert!(
            run.said.contains("certificate was accepted (--insecure)"),
            "{}",
            run.said
        );
    }
}

#[test]
fn an_issuer_of_ones_own_is_trusted() {
    let front = front();
    let run = judged(
        &[("SSL_CERT_FILE", AUTHORITY)],
        &[&url(&front, "localhost")],
    );
    assert_ne!(run.code, Some(3), "{}", run.said);
    assert!(
        run.report["targets"][0].get("insecure").is_none(),
        "{}",
        run.said
    );
    assert!(!run.stderr.contains("insecure"), "{}", run.said);
}

#[test]
fn a_certificate_for_another_name_is_told() {
    let front = Front::over(Tls::new(), "127.0.0.2", mcp);
    let run = judged(
        &[("SSL_CERT_FILE", AUTHORITY)],
        &[&url(&front, "127.0.0.2")],
    );
    assert_eq!(run.code, Some(3), "{}", run.said);
    assert!(
        run.unusable().contains("it is for another name"),
        "{}",
        run.said
    );
}

#[test]
fn insecure_without_https_is_told_to_change_nothing() {
    let front = Front::new(mcp);
    let run = check(&[], &["--insecure", &front.url("/mcp")]);
    assert_eq!(run.code, Some(0), "{}", run.said);
    assert!(
        run.stderr.contains("--insecure changes nothing"),
        "{}",
        run.said
    );
    assert!(
        run.report["targets"][0].get("insecure").is_none(),
        "{}",
        run.said
    );
}
