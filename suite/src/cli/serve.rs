//! `serve`: the reference server, or a mutant of it.

use std::sync::Arc;

use mcpspec_refserver::{
    Exit as ServerExit, HTTP_PATH, Mutant, Options, Server, find_mutant, mutants,
};
use tokio::net::TcpListener;

use crate::text::closest;

use super::args::ServeArguments;
use super::output::{print, tell};
use super::signal::asked_to_end;
use super::{CliError, Exit};

/// Serves until the input ends, or a signal or a mutant ends it.
pub(super) async fn serve(arguments: ServeArguments) -> Result<Exit, CliError> {
    if arguments.list_mutants {
        return list_mutants();
    }
    let server = Arc::new(Server::new(options(&arguments)?));
    tokio::spawn(shut_down_on_signal(Arc::clone(&server)));
    let exit = match &arguments.http {
        Some(address) => serve_http(server, address).await?,
        None => {
            server
                .serve_stdio(tokio::io::stdin(), tokio::io::stdout())
                .await
        }
    };
    Ok(match exit {
        ServerExit::Ended => Exit::Clean,
        ServerExit::Crashed { code } => Exit::Crashed(u8::try_from(code).unwrap_or(u8::MAX)),
    })
}

async fn serve_http(server: Arc<Server>, address: &str) -> Result<ServerExit, CliError> {
    let failed = |source| CliError::Listen {
        address: address.to_owned(),
        source,
    };
    let listener = TcpListener::bind(address).await.map_err(failed)?;
    let bound = listener.local_addr().map_err(failed)?;
    tell(&format!("listening on http://{bound}{HTTP_PATH}"));
    Ok(server.serve_http(listener).await)
}

/// The server that is asked for. A mutant brings the variant on which it shows.
fn options(arguments: &ServeArguments) -> Result<Options, CliError> {
    let mut options = Options::default();
    if let Some(name) = &arguments.mutant {
        let mutant = mutant_named(name)?;
        options.mutant = Some(mutant);
        options.era = mutant.variant.era;
        options.without.extend(mutant.variant.without);
        options.protected = mutant.variant.protected;
    }
    if let Some(era) = arguments.era {
        options.era = era;
    }
    options.fixtures = arguments.fixtures.is_some();
    options.protected |= arguments.protected;
    options.without.extend(&arguments.without);
    Ok(options)
}

fn mutant_named(name: &str) -> Result<&'static Mutant, CliError> {
    find_mutant(name).ok_or_else(|| CliError::UnknownMutant {
        name: name.to_owned(),
        closest: closest(name, mutants().iter().map(|mutant| mutant.name)).map(str::to_owned),
    })
}

fn list_mutants() -> Result<Exit, CliError> {
    let width = mutants()
        .iter()
        .map(|mutant| mutant.name.len())
        .max()
        .unwrap_or_default();
    let lines: String = mutants()
        .iter()
        .map(|mutant| format!("{:width$}  {}\n", mutant.name, mutant.about))
        .collect();
    print(&lines)?;
    Ok(Exit::Clean)
}

/// Ends the server gracefully when the user asks for it.
async fn shut_down_on_signal(server: Arc<Server>) {
    asked_to_end().await;
    server.shut_down();
}
