//! The mutants of the reference server as processes, over real stdio and real HTTP and in real time: each is caught by the cases
//! that `cases/kill-matrix.yaml` names.
//!
//! One test is one mutant, named `AREA::MUTANT`, so `cargo test --test wire_mutants -- tools::` tries those of an area.

mod support;

use std::collections::BTreeSet;
use std::net::TcpListener;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use libtest_mimic::{Arguments, Failed, Trial};
use mcpspec::event::CaseResult;
use mcpspec::spec::Transport;
use mcpspec::target::Endpoint;
use mcpspec::verdict::Verdict;
use mcpspec_refserver::{HTTP_PATH, Mutant, mutants};

use support::mutants::{Known, clean_options_of};
use support::{Outcome, outcome, request};

/// Mutants that are tried at once for each core: most of their time they wait.
const AT_ONCE: usize = 6;

/// How long a mutant may take before it counts as missed.
const LIMIT: Duration = Duration::from_secs(120);

fn main() -> ExitCode {
    let mut arguments = Arguments::from_args();
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    arguments.test_threads.get_or_insert(AT_ONCE * cores);
    let known = Arc::new(Known::read());
    let trials = mutants().iter().map(|mutant| {
        let known = Arc::clone(&known);
        Trial::test(format!("{}::{}", mutant.area, mutant.name), move || {
            caught(&known, mutant)
        })
    });
    libtest_mimic::run(&arguments, trials.collect()).exit_code()
}

fn caught(known: &Known, mutant: &'static Mutant) -> Result<(), Failed> {
    let mut failed = String::new();
    for cases in known.sufficient(mutant) {
        let outcome = judged(known, mutant, &cases)?;
        let missed = missed(known, mutant, &outcome);
        if missed.is_empty() {
            return Ok(());
        }
        let told = outcome.cases.iter().map(|case| {
            format!(
                "{} {} {:?} {:?}",
                case.transport, case.id, case.verdict, case.reason
            )
        });
        let told: Vec<String> = told.collect();
        failed = format!("not caught: {}\n{}", missed.join(", "), told.join("\n"));
    }
    Err(failed.into())
}

fn judged(
    known: &Known,
    mutant: &'static Mutant,
    cases: &BTreeSet<&str>,
) -> Result<Outcome, Failed> {
    let transports: BTreeSet<Transport> = known.due(mutant).map(|(_, on)| on).collect();
    let options = clean_options_of(mutant);
    let servers = transports
        .into_iter()
        .map(|transport| (endpoint(mutant, transport), options.clone()));
    let request = request(&known.suite, servers, |id| cases.contains(id));
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    Ok(runtime.block_on(async { tokio::time::timeout(LIMIT, outcome(request)).await })?)
}

/// Each requirement of a mutant, and a transport on which no case saw it broken.
fn missed(known: &Known, mutant: &Mutant, outcome: &Outcome) -> Vec<String> {
    let mut missed = Vec::new();
    for (requirement, transport) in known.due(mutant) {
        let broken = known.broken(outcome, transport, mutant);
        let is_caught = broken.iter().any(|(_, id)| *id == requirement.id);
        if !is_caught && !is_excused(&requirement.id, outcome) {
            missed.push(format!("{} over {transport}", requirement.id));
        }
    }
    missed
}

/// Whether its mutant cannot show here: that a server listens on every address is seen from another one, and a container has none.
fn is_excused(requirement: &str, outcome: &Outcome) -> bool {
    let is_skipped = |case: &CaseResult| case.verdict == Verdict::Skip;
    requirement == "http.bind.localhost" && outcome.cases.iter().all(is_skipped)
}

/// The mutant as a process of its own.
fn endpoint(mutant: &Mutant, transport: Transport) -> Endpoint {
    let words = |rest: &[&str]| -> Vec<String> {
        [
            env!("CARGO_BIN_EXE_mcpspec"),
            "serve",
            "--mutant",
            mutant.name,
        ]
        .iter()
        .chain(rest)
        .map(|word| (*word).to_owned())
        .collect()
    };
    match transport {
        Transport::Stdio => Endpoint::Command(words(&["--stdio"])),
        Transport::Http => {
            let address = free_address();
            Endpoint::Url {
                url: format!("http://{address}{HTTP_PATH}"),
                command: Some(words(&["--http", &address])),
            }
        }
    }
}

/// A port that was free just now, on which nobody else is likely to listen before the server does.
fn free_address() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("there is a free port");
    let address = listener.local_addr().expect("a listener has an address");
    address.to_string()
}
