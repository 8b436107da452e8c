//! Which generations of the protocol a target serves (pages `basic/versioning`, `basic/transports/stdio` and
//! `basic/transports/streamable-http`, backward compatibility).

use std::time::Duration;

use mcpspec_wire::{Object, Value};

use crate::config::WholeRequest;
use crate::spec::{LEGACY_REVISIONS, REVISION};
use crate::target::Target;

use super::asker::{Answer, Asker, Said};
use super::trouble;
use super::{ServedEra, Survey, SurveyError};

/// Errors that only servers of this generation give: header mismatch, missing client capability, unsupported version.
const MODERN_ERRORS: [i64; 3] = [-32020, -32021, UNSUPPORTED_VERSION];

const UNSUPPORTED_VERSION: i64 = -32022;

/// How much longer than for the one of `server/discover` and `initialize` a server may take for the other.
const SLACK: Duration = Duration::from_secs(3);

/// What an older revision's handshake came to.
pub(super) struct Handshake {
    version: String,
    result: Value,
}

/// Finds out which generations a target serves. `asker` is a fresh link, which stays usable if the target is modern.
pub(super) async fn find(target: &Target, asker: &Asker<'_>) -> Result<Survey, SurveyError> {
    let patience = target.first_answer();
    let second = Asker::open(target, "survey initialize").await?;
    let whole = WholeRequest::new("server/discover", Value::Object(Object::new()));
    let (discovered, handshake) = {
        let discover = asker.ask_within(&whole, patience);
        let initialize = second.initialize(LEGACY_REVISIONS[0], patience);
        tokio::pin!(discover, initialize);
        tokio::select! {
            discovered = &mut discover => {
                // A server that answered one thing has started, and an answer to the other is due.
                let within = discovered.since_opened + SLACK;
                let handshake = tokio::time::timeout(within, initialize).await.ok();
                (discovered, handshake)
            }
            handshake = &mut initialize => {
                let is_handshake = shaken(&handshake).is_some();
                let slack = handshake.since_opened + SLACK;
                let discovered = if is_handshake { tokio::time::timeout(slack, discover).await } else { Ok(discover.await) };
                let silent = || Answer { what: Said::Silent, exchange: None, head: None, since_opened: handshake.since_opened + slack };
                (discovered.unwrap_or_else(|_| silent()), Some(handshake))
            }
        }
    };
    if !matches!(discovered.what, Said::Silent) {
        target.started_within(discovered.since_opened);
    }
    let handshake = handshake.as_ref().and_then(shaken);
    let survey = classify(target, asker, &discovered, handshake).await;
    let journals = second.close().await;
    Ok(Survey {
        journals,
        ..survey?
    })
}

async fn classify(
    target: &Target,
    asker: &Asker<'_>,
    discovered: &Answer,
    handshake: Option<Handshake>,
) -> Result<Survey, SurveyError> {
    let mut survey = match &discovered.what {
        Said::Result(result) => {
            let era = if handshake.is_some() {
                ServedEra::Dual
            } else {
                ServedEra::Modern
            };
            modern(era, result)
        }
        Said::Error(error) if is_modern(error) => refused(error),
        _ if handshake.is_some() => Survey::of(ServedEra::Legacy),
        Said::Error(_) if serves_lists(target, asker).await => Survey::of(ServedEra::Modern),
        _ => return Err(trouble::unusable(target, asker, discovered).await),
    };
    if survey.era != ServedEra::Legacy && handshake.is_some() {
        survey.era = ServedEra::Dual;
    }
    if let Some(handshake) = handshake {
        survey.server_info = survey
            .server_info
            .or_else(|| handshake.result.get("serverInfo").cloned());
        if survey.era == ServedEra::Legacy {
            survey.capabilities = object(handshake.result.get("capabilities"));
        }
        survey.legacy_version = Some(handshake.version);
    }
    Ok(survey)
}

/// What discovery tells.
fn modern(era: ServedEra, result: &Value) -> Survey {
    let versions = result
        .get("supportedVersions")
        .and_then(Value::as_array)
        .unwrap_or_default();
    Survey {
        discover: Some(result.clone()),
        supported_versions: versions
            .iter()
            .filter_map(Value::as_str)
            .map(str::to_owned)
            .collect(),
        capabilities: object(result.get("capabilities")),
        server_info: result
            .pointer("/_meta/io.modelcontextprotocol~1serverInfo")
            .cloned(),
        ..Survey::of(era)
    }
}

/// A server of this generation that refuses discovery: because it does not speak the revision, or for no good reason.
fn refused(error: &Value) -> Survey {
    let supported = error
        .pointer("/data/supported")
        .and_then(Value::as_array)
        .unwrap_or_default();
    let supported: Vec<String> = supported
        .iter()
        .filter_map(Value::as_str)
        .map(str::to_owned)
        .collect();
    let speaks_others = code(error) == Some(UNSUPPORTED_VERSION)
        && !supported.iter().any(|version| version == REVISION);
    let era = if speaks_others {
        ServedEra::Legacy
    } else {
        ServedEra::Modern
    };
    Survey {
        supported_versions: supported,
        ..Survey::of(era)
    }
}

/// Whether a list is answered in the way of this generation, though discovery is not.
async fn serves_lists(target: &Target, asker: &Asker<'_>) -> bool {
    for method in ["tools/list", "resources/list", "prompts/list"] {
        let whole = WholeRequest::new(method, Value::Object(Object::new()));
        let answer = asker.ask_within(&whole, target.options().timeout).await;
        match answer.what {
            Said::Result(result) if result.get("resultType").is_some() => return true,
            Said::Result(_) | Said::Error(_) => {}
            _ => return false,
        }
    }
    false
}

/// The handshake that an answer to `initialize` makes, if it does.
fn shaken(answer: &Answer) -> Option<Handshake> {
    let Said::Result(result) = &answer.what else {
        return None;
    };
    let version = result.get("protocolVersion")?.as_str()?.to_owned();
    Some(Handshake {
        version,
        result: result.clone(),
    })
}

fn is_modern(error: &Value) -> bool {
    code(error).is_some_and(|code| MODERN_ERRORS.contains(&code))
}

fn code(error: &Value) -> Option<i64> {
    error.get("code")?.as_i64()
}

fn object(value: Option<&Value>) -> Value {
    let object = value.and_then(Value::as_object).cloned();
    Value::Object(object.unwrap_or_default())
}
