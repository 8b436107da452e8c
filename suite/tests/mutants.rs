//! The mutants of the reference server, each against the cases of its requirement, in memory and in stopped time.
//!
//! One test is one mutant, named `AREA::MUTANT`, so `cargo test --test mutants -- tools::` tries those of an area. What is caught
//! is held to `cases/kill-matrix.yaml`; `MCPSPEC_UPDATE_MATRIX=1 cargo test --test mutants` writes that file anew, and with a filter
//! only what it says of those mutants.

#[path = "mutants/proof.rs"]
mod proof;
mod support;

use std::collections::{BTreeMap, BTreeSet};
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock};

use libtest_mimic::{Arguments, Failed, Trial};
use mcpspec::case::{Body, KillMatrix};
use mcpspec::spec::{Requirement, Transport};
use mcpspec::target::Endpoint;
use mcpspec::verdict::{Fact, Grade, Verdict};
use mcpspec_refserver::{Mutant, Options, mutants};

use support::mutants::{Known, Pair, clean_options_of, matrix_path, of_transport};
use support::{Outcome, outcome, request};

/// Cases that the reference server passes. One that stops being judged there would otherwise go unnoticed; the others belong to
/// the other transport, to the other era or to a protected server.
const PASSED: [(Transport, usize); 2] = [(Transport::Stdio, 501), (Transport::Http, 592)];

/// A test of all mutants at once.
type Hold = fn(&Bench) -> Result<(), Failed>;

/// What was seen of the suite on a server, by transport.
type Sight = BTreeMap<Transport, Seen>;

/// What a run saw on one transport.
#[derive(Debug, Clone, Default)]
struct Seen {
    held: BTreeSet<Pair>,
    broken: BTreeSet<Pair>,
    /// During which cases watches saw something.
    during: BTreeSet<String>,
}

/// What of the suite caught a mutant on one transport.
#[derive(Debug, Clone, Default)]
struct Caught {
    pairs: BTreeSet<Pair>,
    during: BTreeSet<String>,
}

/// What is known of the mutants, and what each server without a mutant was seen to hold.
struct Bench {
    known: Known,
    clean: Mutex<BTreeMap<String, Arc<OnceLock<Sight>>>>,
}

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let bench = Arc::new(Bench::new());
    if std::env::var_os("MCPSPEC_UPDATE_MATRIX").is_some() {
        bench.update(arguments.filter.as_deref());
        return ExitCode::SUCCESS;
    }
    let of_all: [(&str, Hold); 4] = [
        (
            "nothing_is_wrong_with_the_reference_server",
            Bench::hold_reference_server,
        ),
        (
            "the_matrix_names_only_mutants_that_there_are",
            Bench::hold_names,
        ),
        (
            "every_case_catches_a_mutant_of_each_requirement_that_it_names",
            |bench| proof::hold_cases(&bench.known),
        ),
        (
            "a_mutant_that_breaks_many_requirements_of_others_says_why",
            |bench| proof::hold_collateral(&bench.known),
        ),
    ];
    let mut trials: Vec<Trial> = of_all
        .into_iter()
        .map(|(name, hold)| {
            let bench = Arc::clone(&bench);
            Trial::test(name, move || hold(&bench))
        })
        .collect();
    trials.extend(mutants().iter().map(|mutant| {
        let bench = Arc::clone(&bench);
        Trial::test(name_of(mutant), move || bench.hold_caught(mutant))
    }));
    libtest_mimic::run(&arguments, trials).exit_code()
}

impl Bench {
    fn new() -> Bench {
        Bench {
            known: Known::read(),
            clean: Mutex::default(),
        }
    }

    /// Judges a server over both transports with the cases that `wanted` lets through.
    fn judge(&self, options: &Options, wanted: impl Fn(&str) -> bool) -> Sight {
        let outcome = in_stopped_time(outcome(request(&self.known.suite, both(options), wanted)));
        Transport::ALL
            .into_iter()
            .map(|transport| (transport, self.seen(&outcome, transport, options.mutant)))
            .collect()
    }

    fn seen(
        &self,
        outcome: &Outcome,
        transport: Transport,
        mutant: Option<&'static Mutant>,
    ) -> Seen {
        let broken = mutant.map(|mutant| self.known.broken(outcome, transport, mutant));
        let mut seen = Seen {
            broken: broken.unwrap_or_default(),
            ..Seen::default()
        };
        for case in of_transport(outcome, transport) {
            let notes = case.notes.iter();
            let origins = notes.filter_map(|note| note.strip_prefix("seen during "));
            for origin in origins {
                let id = origin.split('[').next().unwrap_or(origin);
                if self.known.suite.cases().iter().any(|case| case.id == id) {
                    seen.during.insert(id.to_owned());
                }
            }
            let kept = case.requirements.iter().filter(|found| is_kept(found.fact));
            let pairs = kept.map(|found| (case.id.clone(), found.id.clone()));
            seen.held.extend(pairs);
        }
        seen
    }

    /// What the server that a mutant differs from is seen to hold.
    fn clean(&self, mutant: &Mutant) -> Sight {
        let options = clean_options_of(mutant);
        let cell = {
            let mut clean = self.clean.lock().expect("no holder panics");
            Arc::clone(clean.entry(format!("{options:?}")).or_default())
        };
        cell.get_or_init(|| self.judge(&options, |_| true)).clone()
    }

    /// What of the suite says that the mutant breaks a rule and its clean server keeps it.
    fn caught(
        &self,
        mutant: &'static Mutant,
        wanted: impl Fn(&str) -> bool,
    ) -> BTreeMap<Transport, Caught> {
        let clean = self.clean(mutant);
        let mutated = self.judge(&options_of(mutant), wanted);
        mutated
            .into_iter()
            .map(|(transport, seen)| {
                let held = &clean[&transport].held;
                let pairs = seen.broken.intersection(held).cloned().collect();
                let during = seen.during;
                (transport, Caught { pairs, during })
            })
            .collect()
    }

    /// Each requirement of a mutant, and a transport on which no case of it saw it broken.
    fn missed(
        &self,
        mutant: &'static Mutant,
        caught: &BTreeMap<Transport, Caught>,
    ) -> Vec<(&str, Transport)> {
        let due = self.known.due(mutant);
        due.map(|(requirement, transport)| (requirement.id.as_str(), transport))
            .filter(|(id, transport)| !caught[transport].pairs.iter().any(|(_, seen)| seen == id))
            .collect()
    }

    /// What the committed matrix lists of the requirements of a mutant and was not seen again: case, requirement, transport.
    fn lost(
        &self,
        mutant: &'static Mutant,
        caught: &BTreeMap<Transport, Caught>,
    ) -> Vec<(&str, &str, Transport)> {
        let listed = self.known.due(mutant).flat_map(|(requirement, transport)| {
            let committed = &self.known.committed;
            let cases = committed.saw(mutant.name, transport, &requirement.id);
            cases
                .into_iter()
                .map(move |case| (case, requirement.id.as_str(), transport))
        });
        listed
            .filter(|(case, id, transport)| {
                let pair = ((*case).to_owned(), (*id).to_owned());
                !caught[transport].pairs.contains(&pair)
                    && !self.is_chance(mutant, case, id, *transport)
            })
            .collect()
    }

    /// Whether a case may have caught a mutant by chance: one that ends the server of all cases takes along whichever is there, and
    /// another one each time. What no other mutant proves of a case was none.
    fn is_chance(
        &self,
        mutant: &'static Mutant,
        case: &str,
        id: &str,
        transport: Transport,
    ) -> bool {
        let requirement = self.known.suite.registry().get(id);
        let mut others = requirement.into_iter().flat_map(Requirement::mutant_names);
        let ends_server = id == "robustness.stays-alive" && transport == Transport::Http;
        ends_server
            && others.any(|other| {
                other != mutant.name
                    && self
                        .known
                        .committed
                        .saw(other, transport, id)
                        .contains(&case)
            })
    }

    /// Whether a watch of a requirement of a mutant has seen nothing yet, and is not known to catch another one either.
    fn has_idle_watch(
        &self,
        mutant: &'static Mutant,
        caught: &BTreeMap<Transport, Caught>,
    ) -> bool {
        self.known.due(mutant).any(|(requirement, transport)| {
            let known = self.known.committed.catchers(requirement, transport);
            proof::cases_of(&self.known, requirement, transport).any(|case| {
                let pair = (case.id.clone(), requirement.id.clone());
                matches!(case.body, Body::Watch(_))
                    && !known.contains(case.id.as_str())
                    && !caught[&transport].pairs.contains(&pair)
                    && !proof::is_excepted(&case.id, &requirement.id)
            })
        })
    }

    /// Tries a mutant by the cases that caught it before; by all of them, if these do not suffice.
    fn retried(&self, mutant: &'static Mutant) -> BTreeMap<Transport, Caught> {
        for cases in self.known.sufficient(mutant) {
            let caught = self.caught(mutant, |id| cases.contains(id));
            if self.missed(mutant, &caught).is_empty() && self.lost(mutant, &caught).is_empty() {
                return caught;
            }
        }
        self.tried(mutant)
    }

    /// Tries a mutant by its own cases, then by all of its area, then by the whole suite, until every requirement of it is seen
    /// broken, and by every case that the committed matrix lists: a watch may need what other cases provoke.
    fn tried(&self, mutant: &'static Mutant) -> BTreeMap<Transport, Caught> {
        let own = |id: &str| {
            self.known.suite.cases().iter().any(|case| {
                case.id == id
                    && self
                        .known
                        .requirements_of(mutant)
                        .any(|own| case.requirements.iter().any(|(named, _)| *named == own.id))
            })
        };
        let of_area = |id: &str| own(id) || id.split('/').next() == Some(mutant.area);
        let widening: [&dyn Fn(&str) -> bool; 3] = [&own, &of_area, &|_| true];
        let mut caught = BTreeMap::new();
        for wanted in widening {
            caught = self.caught(mutant, wanted);
            if self.missed(mutant, &caught).is_empty()
                && self.lost(mutant, &caught).is_empty()
                && !self.has_idle_watch(mutant, &caught)
            {
                break;
            }
        }
        caught
    }

    fn hold_caught(&self, mutant: &'static Mutant) -> Result<(), Failed> {
        let caught = self.retried(mutant);
        let missed = self.missed(mutant, &caught);
        if !missed.is_empty() {
            let lines: Vec<String> = missed
                .iter()
                .map(|(requirement, transport)| format!("{requirement} over {transport}"))
                .collect();
            return Err(format!("not caught: {}", lines.join(", ")).into());
        }
        let lost = self.lost(mutant, &caught);
        if !lost.is_empty() {
            let lines = lost.iter().map(|(case, requirement, transport)| {
                format!("{case} over {transport}, which saw {requirement} broken")
            });
            let lines: Vec<String> = lines.collect();
            return Err(format!(
                "caught, but no longer by each case that cases/kill-matrix.yaml lists: {}",
                lines.join("; ")
            )
            .into());
        }
        let unwritten: Vec<&str> = self
            .known
            .requirements_of(mutant)
            .filter(|requirement| !self.lists(mutant, requirement))
            .map(|requirement| requirement.id.as_str())
            .collect();
        if !unwritten.is_empty() {
            return Err(format!(
                "caught, but cases/kill-matrix.yaml does not say so of {}: run `MCPSPEC_UPDATE_MATRIX=1 cargo test --test mutants` and look at the difference",
                unwritten.join(", ")
            )
            .into());
        }
        Ok(())
    }

    /// Whether the committed matrix says of some case that it caught a mutant of a requirement, on each transport.
    fn lists(&self, mutant: &'static Mutant, requirement: &Requirement) -> bool {
        let committed = &self.known.committed;
        self.known.due(mutant).all(|(other, transport)| {
            let cases = committed.saw(mutant.name, transport, &requirement.id);
            other.id != requirement.id || !cases.is_empty()
        })
    }

    fn hold_names(&self) -> Result<(), Failed> {
        let known: BTreeSet<&str> = mutants().iter().map(|mutant| mutant.name).collect();
        let unknown: Vec<&str> = self
            .known
            .committed
            .mutants()
            .filter(|name| !known.contains(name))
            .collect();
        if unknown.is_empty() {
            Ok(())
        } else {
            Err(format!("cases/kill-matrix.yaml names {}", unknown.join(", ")).into())
        }
    }

    fn hold_reference_server(&self) -> Result<(), Failed> {
        let outcome = in_stopped_time(outcome(request(
            &self.known.suite,
            both(&Options::default()),
            |_| true,
        )));
        let wrong: Vec<String> = outcome
            .cases
            .iter()
            .filter(|case| !matches!(case.verdict, Verdict::Pass | Verdict::Skip))
            .map(|case| {
                let first = case.requirements.first();
                format!(
                    "{:?} {} {} {:?} {:?} {:?}",
                    case.verdict,
                    case.transport,
                    case.id,
                    case.reason,
                    first.map(|found| &found.mismatches),
                    case.exchanges
                )
            })
            .collect();
        if !wrong.is_empty() {
            return Err(format!("{}\n{}", wrong.len(), wrong.join("\n")).into());
        }
        for (transport, expected) in PASSED {
            let passed = outcome
                .cases
                .iter()
                .filter(|case| case.transport == transport && case.verdict == Verdict::Pass)
                .count();
            if passed != expected {
                return Err(format!("{passed} cases pass over {transport}, not {expected}").into());
            }
        }
        Ok(())
    }

    /// Tries every mutant whose name holds the filter, or a part of it between commas, on every core, and writes what the matrix says
    /// of them.
    fn update(&self, filter: Option<&str>) {
        let wanted: Vec<&'static Mutant> = mutants()
            .iter()
            .copied()
            .filter(|mutant| {
                let holds = |part: &str| name_of(mutant).contains(part);
                filter.is_none_or(|filter| filter.split(',').any(holds))
            })
            .collect();
        let mut kept = match filter {
            Some(_) => self.known.committed.clone(),
            None => KillMatrix::default(),
        };
        for mutant in &wanted {
            kept.forget(mutant.name);
        }
        let next = AtomicUsize::new(0);
        let matrix = Mutex::new(kept);
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        std::thread::scope(|scope| {
            for _ in 0..threads {
                scope.spawn(|| {
                    while let Some(mutant) = wanted.get(next.fetch_add(1, Ordering::Relaxed)) {
                        for (transport, caught) in self.tried(mutant) {
                            let mut matrix = matrix.lock().expect("no holder panics");
                            for (case, requirement) in caught.pairs {
                                matrix.record(mutant.name, transport, &case, &requirement);
                            }
                            for case in caught.during {
                                matrix.record_provoked(mutant.name, transport, &case);
                            }
                        }
                    }
                });
            }
        });
        let matrix = matrix.into_inner().expect("no holder panics");
        std::fs::write(matrix_path(), matrix.to_yaml()).expect("the kill matrix is written");
    }
}

/// The name of the test of a mutant.
fn name_of(mutant: &Mutant) -> String {
    format!("{}::{}", mutant.area, mutant.name)
}

/// A server in this process, over both transports.
fn both(options: &Options) -> impl Iterator<Item = (Endpoint, Options)> {
    let over = |transport| Endpoint::Memory(options.clone(), transport);
    Transport::ALL
        .map(over)
        .map(|endpoint| (endpoint, options.clone()))
        .into_iter()
}

/// Whether a fact is that the requirement is kept, by an alternative that its case lets pass as well.
fn is_kept(fact: Fact) -> bool {
    matches!(fact, Fact::Held | Fact::Graded(Grade::Pass | Grade::Note))
}

fn options_of(mutant: &'static Mutant) -> Options {
    Options {
        mutant: Some(mutant),
        ..clean_options_of(mutant)
    }
}

/// Runs a future on a runtime of its own whose clock stands still while anything is left to do.
fn in_stopped_time<F: Future>(future: F) -> F::Output {
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .start_paused(true)
        .build()
        .expect("a runtime is built")
        .block_on(future)
}
