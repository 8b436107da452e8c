//! One process' worth of server.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use serde_json::{Map, Value, json};
use tokio::sync::watch;

use crate::{
    admit::{Check, Rule, Subject, keys},
    call::{Call, Link},
    methods,
    mutants::{Conforming, Hooks},
    options::Options,
    rpc::{Fault, Found},
    serve::Sink,
    world::World,
};

/// What a request came to.
pub(crate) type Outcome = Result<Reply, Fault>;

/// A result.
#[derive(Clone, Debug)]
pub(crate) struct Reply {
    /// The `result` object, complete with `resultType` and `_meta` once the method has returned it.
    pub(crate) result: Map<String, Value>,
    /// The rule whose breach the result reports, if it reports one.
    pub(crate) rule: Option<Rule>,
}

impl From<Value> for Reply {
    fn from(result: Value) -> Self {
        let result = match result {
            Value::Object(result) => result,
            other => Map::from_iter([("value".to_owned(), other)]),
        };
        Self { result, rule: None }
    }
}

/// How serving came to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// The input ended, or the server was shut down.
    Ended,
    /// The process has to end with this exit code. Only mutants crash.
    Crashed {
        /// The exit code.
        code: i32,
    },
}

/// Whether the server is still running.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Phase {
    Running,
    Closing,
    Crashed(i32),
}

/// One process' worth of server: any number of connections may be served by it, one after another or at once.
///
/// It remembers what its tools change (the lists, the counters, used one-time states) and nothing about its clients.
pub struct Server {
    options: Options,
    hooks: Box<dyn Hooks>,
    phase: watch::Sender<Phase>,
    links: AtomicU64,
    serials: AtomicU64,
    world: World,
}

impl Server {
    /// How long requests in flight may go on once the server is to end.
    pub(crate) const GRACE: Duration = Duration::from_secs(1);

    /// A server that was just started.
    pub fn new(options: Options) -> Self {
        let hooks = options.mutant.map_or_else(
            || Box::new(Conforming) as Box<dyn Hooks>,
            |mutant| mutant.hooks(),
        );
        Self {
            options,
            hooks,
            phase: watch::Sender::new(Phase::Running),
            links: AtomicU64::new(0),
            serials: AtomicU64::new(0),
            world: World::default(),
        }
    }

    /// Ends the server gracefully, as SIGTERM does: open subscriptions get their result, requests in flight one second, and
    /// every `serve_…` returns.
    pub fn shut_down(&self) {
        self.phase.send_if_modified(|phase| {
            let running = *phase == Phase::Running;
            if running {
                *phase = Phase::Closing;
            }
            running
        });
    }

    /// Whether it is to be reached from other hosts as well. Only mutants are: who opens its connections has to ask.
    pub fn is_exposed(&self) -> bool {
        self.hooks.is_exposed()
    }

    /// How it ended, if it was shut down or has crashed.
    pub fn ended(&self) -> Option<Exit> {
        (self.phase() != Phase::Running).then(|| self.exit())
    }

    pub(crate) fn crash(&self, code: i32) {
        self.phase.send_replace(Phase::Crashed(code));
    }

    pub(crate) fn phase(&self) -> Phase {
        *self.phase.borrow()
    }

    /// Waits until the server is no longer [`Phase::Running`].
    pub(crate) async fn ending(&self) -> Phase {
        self.wait_for(|phase| phase != Phase::Running).await
    }

    /// Waits until the server has crashed.
    pub(crate) async fn crashed(&self) -> Phase {
        self.wait_for(|phase| matches!(phase, Phase::Crashed(_)))
            .await
    }

    async fn wait_for(&self, wanted: impl Fn(Phase) -> bool) -> Phase {
        let mut phase = self.phase.subscribe();
        *phase
            .wait_for(|phase| wanted(*phase))
            .await
            .expect("the sender lives as long as the server")
    }

    pub(crate) fn exit(&self) -> Exit {
        match self.phase() {
            Phase::Crashed(code) => Exit::Crashed { code },
            Phase::Running | Phase::Closing => Exit::Ended,
        }
    }

    pub(crate) fn options(&self) -> &Options {
        &self.options
    }

    pub(crate) fn hooks(&self) -> &dyn Hooks {
        &*self.hooks
    }

    pub(crate) fn world(&self) -> &World {
        &self.world
    }

    pub(crate) fn next_link(&self) -> Link {
        Link(self.links.fetch_add(1, Ordering::Relaxed))
    }

    pub(crate) fn next_serial(&self) -> u64 {
        self.serials.fetch_add(1, Ordering::Relaxed)
    }

    /// One check, as the mutant sees it.
    pub(crate) fn check(
        &self,
        rule: Rule,
        subject: Subject<'_>,
        call: &Call,
        found: Found,
    ) -> Found {
        self.hooks.check(&Check { rule, subject }, call, found)
    }

    /// Does what a request asks for.
    pub(crate) async fn answer(self: &Arc<Self>, call: &Arc<Call>, sink: &Sink) -> Outcome {
        let outcome = methods::run(self, call, sink)
            .await
            .map(|reply| self.signed(call, reply));
        self.hooks.outcome(call, outcome)
    }

    /// Every result says what it is and who gives it (`basic/index#resulttype`, `#_meta`).
    fn signed(&self, call: &Call, mut reply: Reply) -> Reply {
        if call.legacy {
            // Older revisions know no hints.
            reply
                .result
                .retain(|name, _| !["ttlMs", "cacheScope"].contains(&name.as_str()));
            return reply;
        }
        reply
            .result
            .entry("resultType".to_owned())
            .or_insert_with(|| "complete".into());
        let meta = reply
            .result
            .entry("_meta".to_owned())
            .or_insert_with(|| json!({}));
        if let Some(meta) = meta.as_object_mut() {
            meta.insert(keys::SERVER_INFO.to_owned(), methods::server_info());
        }
        reply
    }
}
