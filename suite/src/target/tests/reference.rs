use std::collections::{BTreeMap, BTreeSet};

use mcpspec_refserver::{Capability, Era, Options};
use mcpspec_wire::Value;

use crate::config::{WholeRequest, read_profiles};
use crate::spec::Transport;
use crate::target::{CallTools, ServedEra, Sought, Survey, survey};
use crate::transcript::SentKind;

use super::*;

async fn surveyed(
    server: Options,
    transport: Transport,
    call_tools: CallTools,
) -> (Survey, Target) {
    let options = TargetOptions {
        call_tools,
        ..TargetOptions::default()
    };
    let target = start(Endpoint::Memory(server, transport), options).await;
    let text = include_str!("../../../../cases/profiles/reference.toml");
    let profiles = read_profiles("reference.toml", text).expect("the profile is right");
    let survey = tokio::time::timeout(
        PATIENCE,
        survey(&target, &profiles, &BTreeMap::new(), &Sought::everything()),
    )
    .await;
    (
        survey
            .expect("in time")
            .expect("the reference server is usable"),
        target,
    )
}

#[tokio::test(start_paused = true)]
async fn the_reference_server_is_surveyed_alike_over_both_transports() {
    let mut seen = Vec::new();
    for transport in Transport::ALL {
        let (survey, target) = surveyed(Options::default(), transport, CallTools::Readonly).await;
        assert_eq!(survey.era, ServedEra::Modern);
        assert_eq!(survey.supported_versions, ["2026-07-28"]);
        assert_eq!(survey.profile.as_deref(), Some("reference"));
        assert_eq!(survey.lists.len(), 4);
        assert!(
            !survey.tools.is_empty() && !survey.resources.is_empty() && !survey.prompts.is_empty()
        );
        let methods: BTreeSet<String> = survey
            .requests
            .iter()
            .map(|request| request.method.clone())
            .collect();
        for method in [
            "tools/call",
            "resources/read",
            "prompts/get",
            "completion/complete",
            "subscriptions/listen",
        ] {
            assert!(
                methods.contains(method),
                "{transport}: {method} of {methods:?}"
            );
        }
        for journal in &survey.journals {
            journal.read(|transcript| {
                for (_, exchange) in transcript.exchanges() {
                    let is_request = exchange.sent.kind == SentKind::Request;
                    assert!(
                        !(is_request && exchange.is_open()),
                        "{transport}: {:?}",
                        exchange.sent
                    );
                }
            });
        }
        target.finish().await;
        seen.push((methods, survey.triggers.keys().cloned().collect::<Vec<_>>()));
    }
    assert_eq!(seen[0], seen[1]);
}

#[tokio::test(start_paused = true)]
async fn the_profile_of_the_official_suite_fits_a_server_with_its_fixtures() {
    let server = Options {
        fixtures: true,
        ..Options::default()
    };
    let endpoint = Endpoint::Memory(server, Transport::Stdio);
    let target = start(endpoint, TargetOptions::default()).await;
    let text = include_str!("../../../../cases/profiles/official.toml");
    let mut profiles = read_profiles("official.toml", text).expect("the profile is right");
    profiles[0].server = "mcpspec-refserver".to_owned();
    let survey = tokio::time::timeout(
        PATIENCE,
        survey(&target, &profiles, &BTreeMap::new(), &Sought::everything()),
    )
    .await;
    let survey = survey.expect("in time").expect("the server is usable");
    assert_eq!(survey.profile.as_deref(), Some("official"));
    for trigger in profiles[0].triggers.keys() {
        assert!(survey.triggers.contains_key(trigger), "{trigger}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_server_of_both_generations_is_found_to_be_one() {
    for transport in Transport::ALL {
        let server = Options {
            era: Era::Dual,
            ..Options::default()
        };
        let (survey, _) = surveyed(server, transport, CallTools::Readonly).await;
        assert_eq!(survey.era, ServedEra::Dual);
        assert_eq!(
            survey.legacy_version.as_deref(),
            Some(Options::LEGACY_REVISION)
        );
    }
}

#[tokio::test(start_paused = true)]
async fn without_permission_no_tool_is_called_and_no_trigger_calls_one() {
    let (survey, target) = surveyed(Options::default(), Transport::Http, CallTools::None).await;
    assert_eq!(target.calls(), []);
    assert!(survey.callable.is_none());
    assert!(
        !survey.triggers.contains_key("slow-tool"),
        "{:?}",
        survey.triggers.keys()
    );
    assert!(survey.triggers.contains_key("listed-resource"));
}

#[tokio::test(start_paused = true)]
async fn what_is_not_declared_is_not_asked_for() {
    let server = Options {
        without: [Capability::Tools, Capability::Completions].into(),
        ..Options::default()
    };
    let (survey, _) = surveyed(server, Transport::Stdio, CallTools::Readonly).await;
    assert!(survey.tools.is_empty());
    assert!(
        survey
            .requests
            .iter()
            .all(|request| request.method != "completion/complete")
    );
    let asked = survey.journals.iter().flat_map(|journal| {
        journal.read(|transcript| {
            let exchanges = transcript.exchanges();
            exchanges
                .filter_map(|(_, exchange)| exchange.sent.method().map(str::to_owned))
                .collect::<Vec<_>>()
        })
    });
    let asked: BTreeSet<String> = asked.collect();
    assert!(
        !asked.contains("tools/list") && !asked.contains("completion/complete"),
        "{asked:?}"
    );
}

#[tokio::test(start_paused = true)]
async fn a_reference_that_is_refused_is_known_all_the_same() {
    let server = Options {
        mutant: mcpspec_refserver::find_mutant("rejects-template-ref"),
        ..Options::default()
    };
    let (survey, _) = surveyed(server, Transport::Stdio, CallTools::None).await;
    let kind = |request: &WholeRequest| {
        let kind = request.params.pointer("/ref/type").and_then(Value::as_str);
        kind.map(str::to_owned)
    };
    let served: Vec<String> = survey.requests.iter().filter_map(kind).collect();
    assert_eq!(served, ["ref/prompt"]);
    let first = survey.first_completions();
    let known = first
        .each_ref()
        .map(|request| request.as_ref().and_then(kind));
    assert_eq!(
        known.map(Option::unwrap_or_default),
        ["ref/prompt", "ref/resource"]
    );
}

#[tokio::test(start_paused = true)]
async fn triggers_of_tools_tell_their_definitions() {
    let (survey, _) = surveyed(Options::default(), Transport::Http, CallTools::All).await;
    let tool = survey.triggers["output-schema-tool"]
        .properties
        .get("tool")
        .expect("the definition");
    assert!(tool.get("outputSchema").is_some());
    let marked = &survey.triggers["x-mcp-header-tool"];
    let header = marked
        .properties
        .get("header")
        .and_then(Value::as_str)
        .expect("the header");
    assert!(header.starts_with("Mcp-Param-"), "{header}");
}

#[tokio::test(start_paused = true)]
async fn calls_that_change_something_are_held_against_one_quiet_time() {
    let options = TargetOptions {
        call_tools: CallTools::All,
        ..TargetOptions::default()
    };
    let endpoint = Endpoint::Memory(Options::default(), Transport::Http);
    let target = start(endpoint, options).await;
    let changing = ["list-change", "resource-update"].map(str::to_owned);
    let sought = Sought {
        triggers: changing.iter().cloned().collect(),
        ..Sought::default()
    };
    let began = Instant::now();
    let survey = survey(&target, &[], &BTreeMap::new(), &sought).await;
    let took = began.elapsed();
    let found = survey.expect("the reference server is usable").triggers;
    assert!(changing.iter().all(|name| found.contains_key(name)));
    // 8.6 s, of which 1.3 s are the quiet time: a second one would be too much.
    assert!(took < Duration::from_secs(9), "{took:?}");
    target.finish().await;
}
