//! Whose certificates are trusted, and what is said where one is not.

use std::error::Error;
use std::io;
use std::sync::Arc;

use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{CryptoProvider, verify_tls12_signature, verify_tls13_signature};
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{CertificateError, ClientConfig, DigitallySignedStruct, SignatureScheme};
use rustls_platform_verifier::Verifier;

/// How the message about a certificate begins that is not trusted.
pub(crate) const UNTRUSTED: &str = "its certificate is not trusted";

/// TLS by the system's trust in certificates, or with any for the host `insecure`. HTTP/1.1 is all that is offered. A system
/// that trusts nobody is no hindrance where its trust is not `needed`.
pub(super) fn tls(needed: bool, insecure: Option<&str>) -> Result<ClientConfig, String> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let system = match Verifier::new(Arc::clone(&provider)) {
        Ok(verifier) => Some(verifier),
        Err(error) if needed && insecure.is_none() => {
            return Err(format!("the system's certificates cannot be used: {error}"));
        }
        Err(_) => None,
    };
    let host = |host: &str| ServerName::try_from(host.to_owned());
    let trust = Trust {
        insecure: insecure
            .map(host)
            .transpose()
            .map_err(|error| error.to_string())?,
        system,
        provider: Arc::clone(&provider),
    };
    let mut config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|error| error.to_string())?
        .dangerous()
        .with_custom_certificate_verifier(Arc::new(trust))
        .with_no_client_auth();
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok(config)
}

/// The system's trust, and any certificate for one host.
#[derive(Debug)]
struct Trust {
    insecure: Option<ServerName<'static>>,
    /// None where the system trusts nobody.
    system: Option<Verifier>,
    provider: Arc<CryptoProvider>,
}

impl ServerCertVerifier for Trust {
    fn verify_server_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        server_name: &ServerName<'_>,
        ocsp_response: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        if self
            .insecure
            .as_ref()
            .is_some_and(|host| host == server_name)
        {
            return Ok(ServerCertVerified::assertion());
        }
        match &self.system {
            Some(system) => system.verify_server_cert(
                end_entity,
                intermediates,
                server_name,
                ocsp_response,
                now,
            ),
            None => Err(CertificateError::UnknownIssuer.into()),
        }
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        let algorithms = &self.provider.signature_verification_algorithms;
        verify_tls12_signature(message, cert, dss, algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        let algorithms = &self.provider.signature_verification_algorithms;
        verify_tls13_signature(message, cert, dss, algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        let algorithms = self.provider.signature_verification_algorithms;
        algorithms.supported_schemes()
    }
}

/// What an error comes down to. What the layers above say of it names the URL, which may hold secrets, or nothing more.
pub(in crate::transport) fn told(error: &(dyn Error + 'static)) -> String {
    let mut innermost = error;
    loop {
        // An I/O error that wraps another passes it over when it is asked for its source.
        let wrapped = innermost
            .downcast_ref::<io::Error>()
            .and_then(io::Error::get_ref);
        let inner = match wrapped {
            Some(inner) => inner,
            None => match innermost.source() {
                Some(source) => source,
                None => break,
            },
        };
        innermost = inner;
        if let Some(rustls::Error::InvalidCertificate(problem)) = innermost.downcast_ref() {
            return untrusted(problem);
        }
    }
    innermost.to_string()
}

/// How a certificate is told that signs others, and stands for a server all the same: one that signed itself, most often.
const SIGNS_ITSELF: &str = "CaUsedAsEndEntity";

fn untrusted(problem: &CertificateError) -> String {
    use CertificateError as Is;
    if problem.to_string().contains(SIGNS_ITSELF) {
        return format!(
            "{UNTRUSTED}: it is self-signed, as that of an authority; --insecure accepts any"
        );
    }
    let problem = match problem {
        Is::UnknownIssuer => "its issuer is unknown".to_owned(),
        Is::Expired | Is::ExpiredContext { .. } => "it has expired".to_owned(),
        Is::NotValidForName | Is::NotValidForNameContext { .. } => {
            "it is for another name".to_owned()
        }
        other => other.to_string(),
    };
    format!(
        "{UNTRUSTED}: {problem}; --insecure accepts any, and SSL_CERT_FILE=FILE trusts an issuer of your own"
    )
}

#[cfg(test)]
mod tests {
    use rustls::OtherError;

    use super::*;

    /// As the system's verifier tells it, in words for people who write programs.
    #[derive(Debug, thiserror::Error)]
    #[error("CaUsedAsEndEntity")]
    struct CaUsedAsEndEntity;

    #[test]
    fn whatever_is_wrong_with_a_certificate_the_option_that_accepts_it_is_named() {
        let own = CertificateError::Other(OtherError(Arc::new(CaUsedAsEndEntity)));
        assert_eq!(
            untrusted(&own),
            "its certificate is not trusted: it is self-signed, as that of an authority; --insecure accepts any"
        );
        for (problem, part) in [
            (CertificateError::UnknownIssuer, ": its issuer is unknown; "),
            (CertificateError::Expired, ": it has expired; "),
            (CertificateError::BadSignature, "; "),
        ] {
            let told = untrusted(&problem);
            assert!(
                told.contains(part) && told.contains("--insecure accepts any"),
                "{told}"
            );
        }
    }
}
