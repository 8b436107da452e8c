//! Why cases do not apply: each reason is a sentence about the server, and says what to do where something can be done.

#[expect(dead_code, reason = "the other tests use the rest")]
mod support;

use std::collections::BTreeSet;

use mcpspec::event::Event;
use mcpspec::spec::Transport;
use mcpspec::target::{CallTools, Endpoint};
use mcpspec::verdict::Verdict;
use mcpspec_refserver::{Capability, Era, Options};

use support::{outcome, request, suite};
use tokio::sync::mpsc;

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

/// The tools that are called if this case alone is judged of a server whose profile is unknown.
async fn called_for(id: &str) -> Vec<String> {
    let endpoint = Endpoint::Memory(Options::default(), Transport::Http);
    let mut request = request(&suite(), [(endpoint, Options::default())], |one| one == id);
    assert_eq!(request.cases.len(), 1, "{id}");
    for target in &mut request.targets {
        target.options.call_tools = CallTools::All;
        target.profiles.clear();
    }
    let (sender, mut events) = mpsc::unbounded_channel();
    mcpspec::run::run(request, sender).await;
    let mut called = Vec::new();
    while let Some(event) = events.recv().await {
        if let Event::TargetFinished { calls, .. } = event {
            called.extend(calls.into_iter().map(|calls| calls.tool));
        }
    }
    called
}

#[tokio::test(start_paused = true)]
async fn tools_are_called_only_for_what_the_chosen_cases_need() {
    for id in ["discover/method/stable", "http/origin/invalid-403"] {
        assert!(called_for(id).await.is_empty(), "{id}");
    }
    let called = called_for("progress/only-with-token/none-without").await;
    assert!(called.contains(&"progress".to_owned()), "{called:?}");
    // A watch judges what the search shows, so that all of it is made.
    let all = called_for("progress/params/shape").await;
    assert!(called.len() < all.len(), "{called:?}");
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
