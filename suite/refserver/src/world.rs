//! What the tools of the server can change.

use std::{
    collections::BTreeMap,
    sync::{Mutex, MutexGuard, PoisonError},
};

use tokio::sync::mpsc;

use crate::clock;

/// A list that can change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum ListKind {
    Tools,
    Prompts,
    Resources,
}

impl ListKind {
    pub(crate) const ALL: [Self; 3] = [Self::Tools, Self::Prompts, Self::Resources];

    /// Its name in methods.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Tools => "tools",
            Self::Prompts => "prompts",
            Self::Resources => "resources",
        }
    }
}

/// Something that subscriptions can be about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Change {
    /// A list has other items.
    List(ListKind),
    /// A resource has other contents.
    Resource(String),
}

/// The state of the process. Nothing in it belongs to a client or a connection, the open subscriptions aside.
#[derive(Debug, Default)]
pub(crate) struct World {
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    extended: Vec<ListKind>,
    counters: BTreeMap<String, u64>,
    redeemed: BTreeMap<String, u64>,
    listeners: Vec<mpsc::UnboundedSender<Change>>,
}

impl State {
    fn tell(&mut self, change: &Change) {
        self.listeners
            .retain(|listener| listener.send(change.clone()).is_ok());
    }
}

impl World {
    fn state(&self) -> MutexGuard<'_, State> {
        // No code panics while it holds the lock half-way through a change.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds one item to a list, or takes it away again.
    pub(crate) fn toggle(&self, list: ListKind) {
        let mut state = self.state();
        match state.extended.iter().position(|extended| *extended == list) {
            Some(place) => {
                state.extended.swap_remove(place);
            }
            None => state.extended.push(list),
        }
        state.tell(&Change::List(list));
    }

    /// Whether a list has its extra item.
    pub(crate) fn is_extended(&self, list: ListKind) -> bool {
        self.state().extended.contains(&list)
    }

    /// Counts one step of a job, or one change of a resource.
    pub(crate) fn count(&self, name: &str) {
        *self.state().counters.entry(name.to_owned()).or_default() += 1;
    }

    /// How often [`World::count`] was called with this name.
    pub(crate) fn counted(&self, name: &str) -> u64 {
        self.state().counters.get(name).copied().unwrap_or_default()
    }

    /// Changes the contents of a resource.
    pub(crate) fn touch(&self, uri: &str) {
        self.count(uri);
        self.state().tell(&Change::Resource(uri.to_owned()));
    }

    /// Whether a one-time state was used before.
    pub(crate) fn is_redeemed(&self, nonce: &str) -> bool {
        self.state().redeemed.contains_key(nonce)
    }

    /// Uses a one-time state up. It is remembered until it would have expired anyway.
    pub(crate) fn redeem(&self, nonce: &str, expires_ms: u64) {
        let mut state = self.state();
        let now = clock::now_ms();
        state.redeemed.retain(|_, expires| *expires >= now);
        state.redeemed.insert(nonce.to_owned(), expires_ms);
    }

    /// Changes from now on.
    pub(crate) fn listen(&self) -> mpsc::UnboundedReceiver<Change> {
        let (listener, changes) = mpsc::unbounded_channel();
        self.state().listeners.push(listener);
        changes
    }
}
