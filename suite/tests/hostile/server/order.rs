//! What a server is told to do, as a test says it and as arguments carry it.

use std::path::{Path, PathBuf};

use super::Deed;

/// What language a server speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Speech {
    /// Revision 2026-07-28.
    Modern,
    /// The two revisions before it, which begin with `initialize`.
    Legacy,
}

/// What a server does.
#[derive(Debug, Clone)]
pub(crate) struct Order {
    pub(super) transport: String,
    pub(super) speech: Speech,
    /// What it does instead of the answer to this method, or before it reads anything where that is [`Order::START`].
    pub(super) deed: Option<(Deed, String)>,
    /// Where it writes each method that it is asked for, with the name in the params if there is one.
    pub(super) record: Option<PathBuf>,
    /// Where it listens; 0 is a port of its own choice.
    pub(super) port: u16,
}

impl Order {
    /// Before anything is read.
    pub(crate) const START: &str = "start";

    /// A server that does nothing wrong.
    pub(crate) fn correct() -> Order {
        Order {
            transport: "stdio".to_owned(),
            speech: Speech::Modern,
            deed: None,
            record: None,
            port: 0,
        }
    }

    /// A server that does something else when it is asked for a method.
    pub(crate) fn doing(deed: Deed, at: &str) -> Order {
        Order {
            deed: Some((deed, at.to_owned())),
            ..Order::correct()
        }
    }

    pub(crate) fn speaking(self, speech: Speech) -> Order {
        Order { speech, ..self }
    }

    pub(crate) fn over(self, transport: &str) -> Order {
        Order {
            transport: transport.to_owned(),
            ..self
        }
    }

    pub(crate) fn at_port(self, port: u16) -> Order {
        Order { port, ..self }
    }

    pub(crate) fn recording(self, file: &Path) -> Order {
        Order {
            record: Some(file.to_owned()),
            ..self
        }
    }

    /// The order as arguments.
    pub(crate) fn words(&self) -> Vec<String> {
        let (deed, at) = match &self.deed {
            Some((deed, at)) => (deed.name(), at.as_str()),
            None => ("-", "-"),
        };
        let speech = match self.speech {
            Speech::Modern => "modern",
            Speech::Legacy => "legacy",
        };
        let record = self.record.as_ref().and_then(|path| path.to_str());
        let port = self.port.to_string();
        [
            &self.transport,
            speech,
            deed,
            at,
            record.unwrap_or("-"),
            &port,
        ]
        .map(str::to_owned)
        .to_vec()
    }

    /// Reads it back.
    pub(super) fn of(words: &[String]) -> Order {
        let [transport, speech, deed, at, record, port] = words else {
            panic!("this is no order: {words:?}");
        };
        Order {
            transport: transport.clone(),
            speech: match speech.as_str() {
                "legacy" => Speech::Legacy,
                _ => Speech::Modern,
            },
            deed: Deed::of(deed).map(|deed| (deed, at.clone())),
            record: (record != "-").then(|| record.into()),
            port: port.parse().expect("it is a port"),
        }
    }

    /// What is done instead of answering `method`.
    pub(super) fn deed_at(&self, method: &str) -> Option<Deed> {
        let (deed, at) = self.deed.as_ref()?;
        (at == method).then_some(*deed)
    }
}
