//! Running the suite against the reference server, in memory and as a process.

pub(crate) mod mutants;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use mcpspec::case::{Suite, SuiteFile};
use mcpspec::config::{Profile, read_profiles};
use mcpspec::event::{CaseResult, Event, TargetInfo};
use mcpspec::run::{Credentials, RunOptions, RunRequest, TargetRequest, run};
use mcpspec::spec::Violated;
use mcpspec::target::{CallTools, Endpoint, TargetOptions};
use mcpspec::verdict::{Fact, Grade};
use mcpspec_refserver::Options;
use tokio::sync::{mpsc, watch};

/// What a run against one or two targets came to.
#[derive(Debug, Default)]
pub(crate) struct Outcome {
    /// Results in order of arrival.
    pub(crate) cases: Vec<CaseResult>,
    /// Targets as they were found.
    pub(crate) targets: Vec<TargetInfo>,
}

/// The built-in suite.
pub(crate) fn suite() -> Arc<Suite> {
    let mut files = Vec::new();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../cases");
    collect(&root, &root, &mut files);
    match Suite::load(files) {
        Ok(suite) => Arc::new(suite),
        Err(problems) => panic!("the built-in suite does not load: {problems:?}"),
    }
}

fn collect(root: &Path, folder: &Path, files: &mut Vec<SuiteFile>) {
    for entry in std::fs::read_dir(folder).expect("a folder is read") {
        let path = entry.expect("an entry is read").path();
        if path.is_dir() {
            collect(root, &path, files);
        } else if path
            .extension()
            .is_some_and(|extension| extension == "yaml" || extension == "json")
        {
            let inside = path
                .strip_prefix(root)
                .expect("it lies inside")
                .to_string_lossy()
                .into_owned();
            let text = std::fs::read_to_string(&path).expect("a file is read");
            files.push(SuiteFile {
                shown: format!("cases/{inside}"),
                path: inside,
                text,
            });
        }
    }
}

/// The profile of the reference server.
pub(crate) fn reference_profiles() -> Vec<Profile> {
    let text = include_str!("../../../cases/profiles/reference.toml");
    read_profiles("cases/profiles/reference.toml", text)
        .expect("the profile of the reference server is read")
}

/// A request to judge these servers with the cases that `wanted` lets through. Beside each stands what it was started with.
pub(crate) fn request(
    suite: &Arc<Suite>,
    servers: impl IntoIterator<Item = (Endpoint, Options)>,
    wanted: impl Fn(&str) -> bool,
) -> RunRequest {
    // A sender that is gone means that nobody interrupts.
    let (_, interrupt) = watch::channel(false);
    let targets = servers
        .into_iter()
        .map(|(endpoint, options)| target(endpoint, options.protected));
    RunRequest {
        suite: Arc::clone(suite),
        cases: suite
            .cases()
            .iter()
            .filter(|case| wanted(&case.id))
            .cloned()
            .collect(),
        targets: targets.collect(),
        options: RunOptions {
            jobs: 8,
            seed: 1,
            max_run: Duration::from_secs(3_600),
            interrupt,
        },
    }
}

fn target(endpoint: Endpoint, is_protected: bool) -> TargetRequest {
    let [alice, bob] = Options::TOKENS.map(|token| format!("Bearer {token}"));
    let headers = is_protected
        .then(|| ("Authorization".to_owned(), alice))
        .into_iter()
        .collect();
    TargetRequest {
        name: None,
        endpoint,
        options: TargetOptions {
            headers,
            call_tools: CallTools::Listed,
            ..TargetOptions::default()
        },
        credentials: Credentials {
            second: is_protected.then_some(bob),
            low: is_protected.then(|| format!("Bearer {}", Options::LOW_TOKEN)),
        },
        triggers: BTreeMap::new(),
        profiles: reference_profiles(),
        shown_command: Vec::new(),
        shown_url: None,
        reproduce: "--demo".to_owned(),
    }
}

/// Runs to the end.
pub(crate) async fn outcome(request: RunRequest) -> Outcome {
    let (sender, mut events) = mpsc::unbounded_channel();
    run(request, sender).await;
    let mut outcome = Outcome::default();
    while let Some(event) = events.recv().await {
        match event {
            Event::CaseFinished(result) => outcome.cases.push(*result),
            Event::TargetReady(info) => outcome.targets.push(*info),
            _ => {}
        }
    }
    outcome
}

/// Whether a fact is the plain violation of a requirement, or an alternative graded like it.
pub(crate) fn is_violation(fact: Fact, violated: Violated) -> bool {
    match fact {
        Fact::Violated | Fact::Graded(Grade::Fail) => true,
        Fact::Graded(Grade::Warn) => violated == Violated::Warn,
        Fact::Graded(Grade::Note) => violated == Violated::Note,
        _ => false,
    }
}
