//! Mutants of the lists of resources and templates, and of what is told of their changes.

use serde_json::{Value, json};

use super::{
    breaks::Breaks::{Check, Instead, Message, Messages, Outcome, Own, Shape},
    checks::without_method,
    listing::{Remembers, Varies, with_items},
    mutant::{BOTH, Mutant, Variant},
    shape::{Do, Edit, On},
};
use crate::{
    call::Call as Request,
    options::Capability,
    server::{Outcome as Came, Reply},
};

const AREA: &str = "resources";

const LIST: &str = "resources/list";

const TEMPLATES: &str = "resources/templates/list";

/// A mutant of what a page of resources holds.
const fn listed(
    name: &'static str,
    about: &'static str,
    change: fn(&Request, Came) -> Came,
) -> Mutant {
    Mutant::new(AREA, name, about, BOTH, Outcome(change))
}

pub(super) static MUTANTS: &[Mutant] = &[
    Mutant::new(
        AREA,
        "resources-undeclared",
        "the capability is absent, and resources/list is served",
        BOTH,
        Shape(&[Edit(
            On::Complete(&["server/discover"]),
            "/result/capabilities/resources",
            Do::Remove,
        )]),
    ),
    Mutant::new(
        AREA,
        "empty-resource-list-undeclared",
        "resources/list gives an empty list where the capability is absent",
        BOTH,
        Instead(|call| {
            (call.method() == LIST).then(|| {
                Ok(Reply::from(
                    json!({ "resources": [], "ttlMs": 0, "cacheScope": "public" }),
                ))
            })
        }),
    )
    .on(Variant {
        without: &[Capability::Resources],
        ..Variant::DEFAULT
    }),
    listed(
        "bad-resource-mime",
        "the mimeType of a resource is \"text\"",
        |call, outcome| {
            on_first_page(call, outcome, |resource| {
                resource["mimeType"] = "text".into()
            })
        },
    ),
    listed(
        "resource-without-name",
        "a resource has no name",
        |call, outcome| {
            on_first_page(call, outcome, |resource| {
                if let Some(resource) = resource.as_object_mut() {
                    resource.shift_remove("name");
                }
            })
        },
    ),
    listed(
        "resource-size-as-string",
        "the size of a resource is \"12kB\"",
        |call, outcome| on_first_page(call, outcome, |resource| resource["size"] = "12kB".into()),
    ),
    listed(
        "relative-resource-uri",
        "the uri of a resource is \"/etc/hosts\"",
        |call, outcome| {
            on_first_page(call, outcome, |resource| {
                resource["uri"] = "/etc/hosts".into()
            })
        },
    ),
    listed(
        "underscore-in-uri-scheme",
        "the uri of a resource has a scheme with an underscore",
        |call, outcome| {
            on_first_page(call, outcome, |resource| {
                resource["uri"] = "my_scheme://x".into()
            })
        },
    ),
    listed(
        "duplicate-resource-uris",
        "two resources have one uri",
        |call, outcome| {
            let is_first = call.param("cursor").is_none();
            with_items(call, outcome, LIST, |resources| {
                if let Some(mut twin) = resources.first().filter(|_| is_first).cloned() {
                    twin["name"] = "twin".into();
                    resources.push(twin);
                }
            })
        },
    ),
    Mutant::new(
        AREA,
        "resources-vary-per-connection",
        "one uri holds a number drawn per connection",
        BOTH,
        Own(|| {
            Box::new(Varies::new(
                LIST,
                |number| json!({ "uri": format!("refserver://guest/{number}"), "name": "guest" }),
            ))
        }),
    ),
    Mutant::new(
        AREA,
        "read-adds-to-list",
        "resources/read adds what was read to the list of that connection",
        BOTH,
        Own(|| {
            Box::new(Remembers::new(
                ["resources/read", "uri", LIST],
                |had, is_first, resources| {
                    let read = had
                        .iter()
                        .map(|uri| json!({ "uri": uri, "name": "recently read" }));
                    resources.extend(read.filter(|_| is_first));
                },
            ))
        }),
    ),
    Mutant::new(
        AREA,
        "resources-list-not-implemented",
        "the capability is declared, and resources/list is an unknown method",
        BOTH,
        Check(|check, call, found| without_method(LIST, check, call, found)),
    ),
    Mutant::new(
        AREA,
        "templates-under-wrong-key",
        "the list of templates is called templates",
        BOTH,
        Shape(&[Edit(
            On::Complete(&[TEMPLATES]),
            "/result/resourceTemplates",
            Do::Rename("templates"),
        )]),
    ),
    Mutant::new(
        AREA,
        "template-with-uri-key",
        "a template has uri in place of uriTemplate",
        BOTH,
        Shape(&[Edit(
            On::Complete(&[TEMPLATES]),
            "/result/resourceTemplates/*/uriTemplate",
            Do::Rename("uri"),
        )]),
    ),
    Mutant::new(
        AREA,
        "broken-uri-template",
        "a template has a brace that is not closed",
        BOTH,
        Shape(&[Edit(
            On::Complete(&[TEMPLATES]),
            "/result/resourceTemplates/*/uriTemplate",
            Do::Set("\"file:///{path\""),
        )]),
    ),
    Mutant::new(
        AREA,
        "resources-change-not-notified",
        "a change of the list is not told",
        BOTH,
        Messages(|_, message| {
            if message.method() == "notifications/resources/list_changed" {
                Vec::new()
            } else {
                vec![message]
            }
        }),
    ),
    Mutant::new(
        AREA,
        "resource-update-without-uri",
        "the notification of an update does not say of what",
        BOTH,
        Shape(&[Edit(
            On::Notification("notifications/resources/updated"),
            "/params/uri",
            Do::Remove,
        )]),
    ),
    Mutant::new(
        AREA,
        "acks-other-uri",
        "a subscription to a resource is acknowledged with a slash behind its uri",
        BOTH,
        Message(|_, message| {
            let params = message.body.get_mut("params");
            let uris = params
                .and_then(|params| params.pointer_mut("/notifications/resourceSubscriptions"));
            if let Some(Value::Array(uris)) = uris {
                for uri in uris {
                    *uri = format!("{}/", uri.as_str().unwrap_or_default()).into();
                }
            }
        }),
    ),
    Mutant::new(
        AREA,
        "serves-resources-subscribe",
        "resources/subscribe and resources/unsubscribe are served",
        BOTH,
        Instead(|call| {
            ["resources/subscribe", "resources/unsubscribe"]
                .contains(&call.method())
                .then(|| Ok(Reply::from(json!({}))))
        }),
    ),
];

/// Changes the last resource of the first page.
fn on_first_page(call: &Request, outcome: Came, change: impl FnOnce(&mut Value)) -> Came {
    let is_first = call.param("cursor").is_none();
    with_items(call, outcome, LIST, |resources| {
        if let Some(resource) = resources.last_mut().filter(|_| is_first) {
            change(resource);
        }
    })
}
