//! The targets of `--demo`.

use std::net::TcpListener;

use mcpspec_refserver::{HTTP_PATH, Options as ServerOptions};

use crate::run::Credentials;
use crate::target::Endpoint;

use super::CliError;
use super::targets::{AUTHORIZATION, Started};

/// The reference server as a user would start it, over both transports.
pub(super) fn demo() -> Result<Vec<Started>, CliError> {
    let program = std::env::current_exe()
        .map_err(|source| CliError::System {
            what: "find the program itself",
            source,
        })?
        .to_string_lossy()
        .into_owned();
    // The port is free again as soon as the listener is dropped; in between nobody is likely to take it.
    let address = TcpListener::bind("127.0.0.1:0")
        .and_then(|listener| listener.local_addr())
        .map_err(|source| CliError::System {
            what: "find a free port",
            source,
        })?
        .to_string();
    let words = |program: &str, rest: &[&str]| -> Vec<String> {
        [program, "serve"]
            .iter()
            .chain(rest)
            .map(|word| (*word).to_owned())
            .collect()
    };
    let url = format!("http://{address}{HTTP_PATH}");
    // Over HTTP it is the protected variant, on which more can be judged.
    let http = ["--http", &address, "--protected"];
    let [first, second] = ServerOptions::TOKENS.map(|token| format!("Bearer {token}"));
    let endpoint = Endpoint::Url {
        url: url.clone(),
        command: Some(words(&program, &http)),
    };
    Ok(vec![
        Started::new(
            Endpoint::Command(words(&program, &["--stdio"])),
            words("mcpspec", &["--stdio"]),
            None,
        ),
        Started {
            headers: vec![(AUTHORIZATION.to_owned(), first)],
            credentials: Credentials {
                second: Some(second),
                low: Some(format!("Bearer {}", ServerOptions::LOW_TOKEN)),
            },
            ..Started::new(endpoint, words("mcpspec", &http), Some(url))
        },
    ])
}
