//! `subscriptions/listen` (`basic/patterns/subscriptions`).

use serde_json::{Map, Value, json};
use tokio::sync::mpsc;

use crate::{
    admit::{Rule, Subject, keys},
    call::Call,
    options::{Capability, Options},
    rpc::{Fault, Message},
    serve::Sink,
    server::{Outcome, Phase, Reply, Server},
    world::{Change, ListKind},
};

/// The most resources that one subscription can be about.
const MOST_RESOURCES: usize = 1000;

/// What a subscription is about: what was asked for and is offered.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Filter {
    lists: Vec<ListKind>,
    resources: Vec<String>,
}

const LISTS: [(&str, ListKind, Capability); 3] = [
    (
        "toolsListChanged",
        ListKind::Tools,
        Capability::ToolsListChanged,
    ),
    (
        "promptsListChanged",
        ListKind::Prompts,
        Capability::PromptsListChanged,
    ),
    (
        "resourcesListChanged",
        ListKind::Resources,
        Capability::ResourcesListChanged,
    ),
];

impl Filter {
    fn read(call: &Call, options: &Options) -> Result<Self, Fault> {
        let refusal = |why: &str| Err(Fault::invalid_params(Rule::Filter, why));
        let Some(asked) = call.param("notifications").and_then(Value::as_object) else {
            return refusal("The member notifications has to be an object.");
        };
        let mut filter = Self::default();
        for (name, kind, capability) in LISTS {
            match asked.get(name) {
                None | Some(Value::Bool(false)) => {}
                Some(Value::Bool(true)) if options.offers(capability) => filter.lists.push(kind),
                Some(Value::Bool(true)) => {}
                Some(_) => return refusal("A filter of a list is true or false."),
            }
        }
        let Some(uris) = asked.get("resourceSubscriptions") else {
            return Ok(filter);
        };
        let uris = uris
            .as_array()
            .filter(|uris| uris.iter().all(Value::is_string) && uris.len() <= MOST_RESOURCES);
        let Some(uris) = uris else {
            return refusal("The member resourceSubscriptions has to be a list of URIs.");
        };
        if options.offers(Capability::ResourcesSubscribe) {
            filter.resources = uris
                .iter()
                .filter_map(Value::as_str)
                .map(str::to_owned)
                .collect();
        }
        Ok(filter)
    }

    /// What the acknowledgement says; nothing stands for what is not honoured.
    fn acknowledged(&self) -> Value {
        let lists = LISTS
            .iter()
            .filter(|(_, kind, _)| self.lists.contains(kind));
        let mut members: Map<String, Value> = lists
            .map(|(name, ..)| ((*name).to_owned(), true.into()))
            .collect();
        if !self.resources.is_empty() {
            members.insert("resourceSubscriptions".to_owned(), json!(self.resources));
        }
        members.into()
    }

    /// The notification of a change, if it is asked for.
    fn notification(&self, change: &Change) -> Option<Message> {
        let asked = match change {
            Change::List(kind) => self.lists.contains(kind),
            Change::Resource(uri) => self.resources.contains(uri),
        };
        asked.then(|| notification_of(change))
    }
}

/// What a change is told by, without the id of the subscription.
pub(crate) fn notification_of(change: &Change) -> Message {
    match change {
        Change::List(kind) => Message::notification(
            &format!("notifications/{}/list_changed", kind.name()),
            json!({}),
        ),
        Change::Resource(uri) => {
            Message::notification("notifications/resources/updated", json!({ "uri": uri }))
        }
    }
}

/// Answers `subscriptions/listen`: the result comes when the server shuts down.
pub(super) async fn listen(server: &Server, call: &Call, sink: &Sink) -> Outcome {
    let filter = Filter::read(call, server.options());
    server.check(
        Rule::Filter,
        Subject::Request,
        call,
        filter.as_ref().map(|_| ()).map_err(Clone::clone),
    )?;
    let filter = filter.unwrap_or_default();
    // Changes are collected before the acknowledgement goes out and told after it, so that none is lost or comes too early.
    let mut changes = server.world().listen();
    let acknowledged = json!({ "notifications": filter.acknowledged() });
    send(
        sink,
        call,
        Message::notification("notifications/subscriptions/acknowledged", acknowledged),
    );
    let _open = Open { server, call };
    let mut beside = server.hooks().beside(call);
    loop {
        tokio::select! {
            biased;
            phase = server.ending() => {
                if phase == Phase::Closing {
                    return Ok(ended(call));
                }
                std::future::pending::<()>().await;
            }
            change = changes.recv() => {
                let told = change.and_then(|change| {
                    server.hooks().told(call, &change, filter.notification(&change))
                });
                if let Some(message) = told {
                    send(sink, call, message);
                }
            }
            message = next(&mut beside) => send(sink, call, message),
        }
    }
}

/// The next of the messages that come from elsewhere, for ever without any.
async fn next(beside: &mut Option<mpsc::UnboundedReceiver<Message>>) -> Message {
    if let Some(beside) = beside
        && let Some(message) = beside.recv().await
    {
        return message;
    }
    std::future::pending().await
}

/// An acknowledged subscription, until its work is done or dropped.
struct Open<'a> {
    server: &'a Server,
    call: &'a Call,
}

impl Drop for Open<'_> {
    fn drop(&mut self) {
        self.server.hooks().unsubscribed(self.call);
    }
}

/// Every message of a subscription carries its id.
fn send(sink: &Sink, call: &Call, mut message: Message) {
    if let Some(id) = &call.id {
        message.set(&["params", "_meta"], keys::SUBSCRIPTION, id);
    }
    sink.send(message);
}

fn ended(call: &Call) -> Reply {
    let id = call.id.as_ref().map(|id| id.value.clone());
    Reply::from(json!({ "_meta": { (keys::SUBSCRIPTION): id } }))
}
