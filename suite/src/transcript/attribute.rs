//! Which sent thing a message on stdio belongs to (`cases/README.md`, section 9). The first rule that fits decides.

use std::time::Duration;

use mcpspec_wire::{Value, same_id};

use super::{Exchange, ExchangeId, Inbound, SentKind, Transcript};

/// How long after its answer a request with a log level still owns log messages.
const LOG_GRACE: Duration = Duration::from_millis(500);

const SUBSCRIPTION_ID: &str = "io.modelcontextprotocol/subscriptionId";
const LOG_LEVEL: &str = "io.modelcontextprotocol/logLevel";

/// Whose a message is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Owner {
    /// The exchange, if one fits.
    pub(super) exchange: Option<ExchangeId>,
    /// Whether the message answers it.
    pub(super) is_answer: bool,
}

/// Whether the bytes are an answer: an object with a result or an error, and no method.
pub(super) fn is_answer(inbound: &Inbound) -> bool {
    inbound.decoded.value.as_ref().is_some_and(|message| {
        message.get("method").is_none()
            && (message.get("result").is_some() || message.get("error").is_some())
    })
}

/// Whose the message in these bytes is.
pub(super) fn owner(transcript: &Transcript, now: Duration, inbound: &Inbound) -> Owner {
    let Some(message) = &inbound.decoded.value else {
        return Owner::default();
    };
    if is_answer(inbound) {
        return answered(transcript, message);
    }
    let exchange = match message.get("id") {
        Some(id) if message.get("method").is_none() => by_id(transcript, id),
        _ => notified(transcript, now, message),
    };
    Owner {
        exchange,
        is_answer: false,
    }
}

fn answered(transcript: &Transcript, message: &Value) -> Owner {
    let by_id = message.get("id").and_then(|id| by_id(transcript, id));
    let exchange = by_id.or_else(|| misfit(transcript));
    Owner {
        exchange,
        is_answer: exchange.is_some(),
    }
}

fn notified(transcript: &Transcript, now: Duration, message: &Value) -> Option<ExchangeId> {
    let params = message.get("params");
    if let Some(id) = params.and_then(|params| params.get("_meta")?.get(SUBSCRIPTION_ID)) {
        let listen = latest(transcript, |exchange| {
            exchange.is_listen() && exchange.sent.id().is_some_and(|sent| same_id(sent, id))
        });
        if listen.is_some() {
            return listen;
        }
    }
    match message.get("method")?.as_str()? {
        "notifications/progress" => {
            let token = params?.get("progressToken")?;
            latest(transcript, |exchange| {
                exchange
                    .sent
                    .meta("progressToken")
                    .is_some_and(|sent| same_id(sent, token))
            })
        }
        "notifications/cancelled" => by_id(transcript, params?.get("requestId")?),
        "notifications/message" => transcript
            .present()
            .find(|(_, exchange)| {
                exchange.sent.meta(LOG_LEVEL).is_some() && owns_logs(exchange, now)
            })
            .map(|(id, _)| id),
        _ => None,
    }
}

fn owns_logs(exchange: &Exchange, now: Duration) -> bool {
    match exchange.answered_at {
        Some(answered) => now.saturating_sub(answered) < LOG_GRACE,
        None => exchange.cancelled_at.is_none(),
    }
}

fn by_id(transcript: &Transcript, id: &Value) -> Option<ExchangeId> {
    latest(transcript, |exchange| {
        exchange.sent.kind == SentKind::Request
            && exchange.sent.id().is_some_and(|sent| same_id(sent, id))
    })
}

/// On a link that one row has for itself, so that a wrong or missing id can be judged: the oldest raw that nothing has
/// answered yet, since what it holds is not known; else the one request that waits.
fn misfit(transcript: &Transcript) -> Option<ExchangeId> {
    if !transcript.link().exclusive {
        return None;
    }
    let raw = transcript.present().find(|(_, exchange)| {
        exchange.sent.kind == SentKind::Raw && exchange.answered_at.is_none()
    });
    if let Some((id, _)) = raw {
        return Some(id);
    }
    let mut open = transcript
        .present()
        .filter(|(_, exchange)| exchange.is_open() && exchange.sent.kind == SentKind::Request);
    match (open.next(), open.next()) {
        (Some((id, _)), None) => Some(id),
        _ => None,
    }
}

/// The exchange that fits; of several, the latest, since an id may be used again once it was answered.
fn latest(transcript: &Transcript, fits: impl Fn(&Exchange) -> bool) -> Option<ExchangeId> {
    transcript
        .exchanges()
        .filter(|(_, exchange)| fits(exchange))
        .last()
        .map(|(id, _)| id)
}
