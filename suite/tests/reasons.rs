//! Why cases do not apply: each reason is a sentence about the server, and says what to do where something can be done.

#[expect(dead_code, reason = "the other tests use the rest")]
mod support;

use std::collections::BTreeSet;

use mcpspec::spec::Transport;
use mcpspec::target::{CallTools, Endpoint};
use mcpspec::verdict::Verdict;
use mcpspec_refserver::{Capability, Era, Options};

use support::{outcome, request, suite};

/// A run whose reasons are looked at.
struct Run {
    name: &'static str,
    options: Options,
    call_tools: CallTools,
    /// Whether the profile of the reference server is known.
    profiled: bool,
}

fn run(name: &'static str) -> Run {
    Run {
        name,
        options: Options::default(),
        call_tools: CallTools::Readonly,
        profiled: true,
    }
}

/// Verdict and reason of everything that was not judged, each once.
async fn reasons(run: &Run) -> BTreeSet<String> {
    let suite = suite();
    let mut reasons = BTreeSet::new();
    // What is about stdio alone differs in little from one server to the other.
    let transports: &[Transport] = match run.name {
        "all" => &Transport::ALL,
        _ => &[Transport::Http],
    };
    for transport in transports {
        let endpoint = Endpoint::Memory(run.options.clone(), *transport);
        let mut request = request(&suite, [(endpoint, run.options.clone())], |_| true);
        for target in &mut request.targets {
            target.options.call_tools = run.call_tools;
            if !run.profiled {
                target.profiles.clear();
            }
        }
        let found = outcome(request).await;
        for case in found.cases {
            if matches!(case.verdict, Verdict::Skip | Verdict::Inconclusive) {
                let reason = case.reason.unwrap_or_default();
                assert!(
                    reason.split_whitespace().count() >= 4,
                    "{}: {} of {} says nothing: {reason:?}",
                    run.name,
                    case.verdict.as_str(),
                    case.id
                );
                reasons.insert(format!("{}: {reason}", case.verdict.as_str()));
            }
        }
    }
    reasons
}

#[tokio::test(start_paused = true)]
async fn every_reason_is_a_sentence() {
    let runs = [
        run("all"),
        Run {
            call_tools: CallTools::None,
            ..run("call-tools-none")
        },
        Run {
            profiled: false,
            ..run("no-profile")
        },
        Run {
            options: Options {
                without: [
                    Capability::Tools,
                    Capability::Resources,
                    Capability::Prompts,
                    Capability::Completions,
                ]
                .into(),
                ..Options::default()
            },
            ..run("bare")
        },
        Run {
            options: Options {
                era: Era::Dual,
                ..Options::default()
            },
            ..run("dual")
        },
    ];
    for run in runs {
        let reasons: Vec<String> = reasons(&run).await.into_iter().collect();
        insta::assert_snapshot!(run.name, reasons.join("\n"));
    }
}
