//! The kill matrix: every mutant of the reference server against the whole suite, in memory and in stopped time.
//!
//! `MCPSPEC_UPDATE_MATRIX=1 cargo test --test mutants` writes `cases/kill-matrix.yaml`; otherwise the test holds the
//! committed file to what it sees.

mod support;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use mcpspec::case::{KillMatrix, Suite};
use mcpspec::run::SAME_SEMANTICS;
use mcpspec::spec::{Transport, Violated};
use mcpspec::target::Endpoint;
use mcpspec::verdict::{Fact, Grade, Verdict};
use mcpspec_refserver::{Mutant, Options, Variant, mutants};

use support::{Outcome, in_stopped_time, is_violation, outcome, request, suite};

/// Case and requirement.
type Pair = (String, String);

/// Whether a fact is that the requirement is kept, by an alternative that its case lets pass as well.
fn is_kept(fact: Fact) -> bool {
    matches!(fact, Fact::Held | Fact::Graded(Grade::Pass | Grade::Note))
}

/// What a run saw on one transport.
#[derive(Debug, Clone, Default)]
struct Seen {
    held: BTreeSet<Pair>,
    broken: BTreeSet<Pair>,
}

fn seen(suite: &Suite, outcome: &Outcome, transport: Transport) -> Seen {
    let mut seen = Seen::default();
    for case in outcome
        .cases
        .iter()
        .filter(|case| case.transport == transport || case.id == SAME_SEMANTICS)
    {
        for found in &case.requirements {
            let violated = suite
                .registry()
                .get(&found.id)
                .and_then(|requirement| requirement.violated);
            let pair = (case.id.clone(), found.id.clone());
            if is_violation(found.fact, violated.unwrap_or(Violated::Note)) {
                seen.broken.insert(pair);
            } else if is_kept(found.fact) {
                seen.held.insert(pair);
            }
        }
    }
    seen
}

fn judge(suite: &Arc<Suite>, options: &Options) -> BTreeMap<Transport, Seen> {
    let endpoints = Transport::ALL
        .map(|transport| Endpoint::Memory(options.clone(), transport))
        .to_vec();
    let outcome = in_stopped_time(outcome(request(suite, endpoints, |_| true)));
    Transport::ALL
        .into_iter()
        .map(|transport| (transport, seen(suite, &outcome, transport)))
        .collect()
}

/// Judges each of many servers, on every core.
fn judge_all(suite: &Arc<Suite>, all: &[Options]) -> Vec<BTreeMap<Transport, Seen>> {
    let next = AtomicUsize::new(0);
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let mut found: Vec<(usize, _)> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads)
            .map(|_| {
                scope.spawn(|| {
                    let mut mine = Vec::new();
                    loop {
                        let index = next.fetch_add(1, Ordering::Relaxed);
                        let Some(options) = all.get(index) else {
                            return mine;
                        };
                        mine.push((index, judge(suite, options)));
                    }
                })
            })
            .collect();
        workers
            .into_iter()
            .flat_map(|worker| worker.join().expect("a worker ends well"))
            .collect()
    });
    found.sort_by_key(|(index, _)| *index);
    found.into_iter().map(|(_, seen)| seen).collect()
}

fn options_of(mutant: &'static Mutant) -> Options {
    Options {
        mutant: Some(mutant),
        ..clean_options_of(mutant)
    }
}

/// The server that a mutant differs from.
fn clean_options_of(mutant: &Mutant) -> Options {
    let Variant {
        era,
        without,
        protected,
    } = mutant.variant;
    Options {
        era,
        without: without.iter().copied().collect(),
        protected,
        mutant: None,
    }
}

#[test]
fn nothing_is_wrong_with_the_reference_server() {
    let suite = suite();
    let endpoints = Transport::ALL
        .map(|transport| Endpoint::Memory(Options::default(), transport))
        .to_vec();
    let outcome = in_stopped_time(outcome(request(&suite, endpoints, |_| true)));
    let mut wrong = Vec::new();
    let mut counts = BTreeMap::new();
    for case in &outcome.cases {
        *counts.entry((case.transport, case.verdict)).or_insert(0) += 1;
        if !matches!(case.verdict, Verdict::Pass | Verdict::Skip) {
            wrong.push(format!(
                "{:?} {} {} {:?} {:?} {:?}",
                case.verdict,
                case.transport,
                case.id,
                case.reason,
                case.requirements.first().map(|found| &found.mismatches),
                case.exchanges
            ));
        }
    }
    assert!(
        outcome
            .targets
            .iter()
            .all(|target| target.unusable.is_none())
    );
    assert!(wrong.is_empty(), "{}\n{}", wrong.len(), wrong.join("\n"));
    // A case that stops being judged here would otherwise go unnoticed. The rest belongs to the other transport, to the other
    // era or to a protected server.
    let passed = |transport| counts.get(&(transport, Verdict::Pass)).copied();
    assert_eq!(passed(Transport::Stdio), Some(180));
    assert_eq!(passed(Transport::Http), Some(249));
}

#[test]
fn every_mutant_is_caught_by_a_case_of_its_requirement_on_each_transport() {
    let suite = suite();
    let all: Vec<&'static Mutant> = mutants().to_vec();
    let mut servers: Vec<Options> = all.iter().map(|mutant| clean_options_of(mutant)).collect();
    servers.sort_by_key(|options| format!("{options:?}"));
    servers.dedup_by_key(|options| format!("{options:?}"));
    let variants = servers.len();
    servers.extend(all.iter().map(|mutant| options_of(mutant)));
    let mut found = judge_all(&suite, &servers);
    let mutated = found.split_off(variants);
    let clean: BTreeMap<String, BTreeMap<Transport, Seen>> = servers
        .iter()
        .zip(found)
        .map(|(options, seen)| (format!("{options:?}"), seen))
        .collect();

    let mut matrix = KillMatrix::default();
    for (mutant, seen) in all.iter().zip(&mutated) {
        let clean = &clean[&format!("{:?}", clean_options_of(mutant))];
        for (transport, seen) in seen {
            for pair in seen.broken.intersection(&clean[transport].held) {
                matrix.record(mutant.name, *transport, &pair.0, &pair.1);
            }
        }
    }

    let missed = missed(&suite, &matrix);
    assert!(
        missed.is_empty(),
        "{} not caught:\n{}",
        missed.len(),
        missed.join("\n")
    );
    hold_current(&suite, &matrix);
}

/// Requirements that have a mutant which no case of theirs catches, by transport.
fn missed(suite: &Suite, matrix: &KillMatrix) -> Vec<String> {
    let known: BTreeSet<&str> = mutants().iter().map(|mutant| mutant.name).collect();
    let mut missed = Vec::new();
    for requirement in suite.registry().iter() {
        let Some(name) = requirement
            .mutant_name()
            .filter(|name| known.contains(name))
        else {
            continue;
        };
        for transport in Transport::ALL
            .into_iter()
            .filter(|transport| requirement.transports.covers(*transport))
        {
            if matrix.catchers(requirement, transport).is_empty() {
                missed.push(format!("{} ({name}) over {transport}", requirement.id));
            }
        }
    }
    missed
}

/// Holds the committed matrix to what was seen, requirement by requirement. Which further cases notice a mutant may depend on
/// how the cases interleave, so that is written down for readers and not compared.
fn hold_current(suite: &Suite, matrix: &KillMatrix) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../cases/kill-matrix.yaml");
    if std::env::var_os("MCPSPEC_UPDATE_MATRIX").is_some() {
        std::fs::write(&path, matrix.to_yaml()).expect("the kill matrix is written");
        return;
    }
    let text = std::fs::read_to_string(&path).expect("the kill matrix is committed");
    let committed =
        KillMatrix::read("cases/kill-matrix.yaml", &text).expect("the kill matrix is read");
    let differing: Vec<&str> = suite
        .registry()
        .iter()
        .filter(|requirement| committed.judges(requirement) != matrix.judges(requirement))
        .map(|requirement| requirement.id.as_str())
        .collect();
    assert!(
        differing.is_empty(),
        "cases/kill-matrix.yaml is not current for {}: run `MCPSPEC_UPDATE_MATRIX=1 cargo test --test mutants` and look at the difference",
        differing.join(", ")
    );
}
