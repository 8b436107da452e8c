//! `subscriptions/listen` (`basic/patterns/subscriptions`).

use serde_json::{Map, Value, json};

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
        match change {
            Change::List(kind) if self.lists.contains(kind) => Some(Message::notification(
                &format!("notifications/{}/list_changed", kind.name()),
                json!({}),
            )),
            Change::Resource(uri) if self.resources.contains(uri) => Some(Message::notification(
                "notifications/resources/updated",
                json!({ "uri": uri }),
            )),
            _ => None,
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
                if let Some(message) = change.and_then(|change| filter.notification(&change)) {
                    send(sink, call, message);
                }
            }
        }
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
