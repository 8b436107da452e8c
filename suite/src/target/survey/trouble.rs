//! Saying why a target cannot be judged, and what to do.

use reqwest::Url;

use crate::target::Target;
use crate::target::server::said;
use crate::text::{preview, redact_url, size};
use crate::transport::UNTRUSTED;

use super::SurveyError;
use super::asker::{Answer, Asker, Said};
use super::whole::has_credentials;

/// Why a target that gave this answer to `server/discover` cannot be judged.
pub(super) async fn unusable(target: &Target, asker: &Asker<'_>, answer: &Answer) -> SurveyError {
    let text = match target.url() {
        Some(url) => {
            let problem = over_http(url, answer, has_credentials(target));
            let epitaph = target.epitaph().await;
            let state = epitaph.map_or_else(String::new, |epitaph| format!("; {epitaph}"));
            format!("{} {problem}{state}", redact_url(url))
        }
        None => over_stdio(asker, answer),
    };
    SurveyError::Unusable(text)
}

/// What an answer is that has too much in it.
const UNREADABLE: &str = "JSON that is nested deeper, or holds more values, than mcpspec reads";

fn over_stdio(asker: &Asker<'_>, answer: &Answer) -> String {
    let wrote = match asker.first_stray() {
        Some(first) => {
            format!("; its first line on standard output that is no answer: {first}")
        }
        None => String::new(),
    };
    let tail = said(&asker.stderr_tail());
    match &answer.what {
        Said::Exited(status) => format!(
            "the process ended with {status} before it answered server/discover{tail}{wrote}"
        ),
        Said::Error(error) => format!(
            "the process refuses both server/discover and initialize, so it is no MCP server: {}",
            preview(&error.to_json(), 200)
        ),
        Said::Refused(problem) | Said::CutOff(problem) => {
            format!("server/discover was not answered: {problem}{tail}{wrote}")
        }
        Said::TooLarge(bytes) => format!(
            "the process answers server/discover with {}, which is more than mcpspec reads",
            size(usize::try_from(*bytes).unwrap_or(usize::MAX))
        ),
        Said::Unreadable => format!("the process answers server/discover with {UNREADABLE}"),
        Said::Flood => format!(
            "the process did not answer server/discover, but wrote more than mcpspec keeps, and was ended for that{tail}{wrote}"
        ),
        _ => format!(
            "the process did not answer server/discover within {:.1} s, nor initialize{tail}{wrote}; if it takes longer to start, a longer --startup-timeout helps",
            answer.since_opened.as_secs_f64()
        ),
    }
}

fn over_http(url: &str, answer: &Answer, is_token_given: bool) -> String {
    let status = answer.head.as_ref().map(|head| head.status);
    let header = |name: &str| answer.head.as_ref().and_then(|head| head.header(name));
    match (&answer.what, status) {
        (_, Some(401)) if is_token_given => {
            "answers 401 to the token that is given: give one that it takes, which is still valid"
                .to_owned()
        }
        (_, Some(401)) => {
            "answers 401: it wants a token; give one with --bearer-env NAME or --header 'Authorization: Bearer TOKEN'"
                .to_owned()
        }
        (_, Some(429)) => {
            let when = header("retry-after").map_or_else(String::new, |when| {
                // A date is told as it stands.
                let unit = if when.bytes().all(|byte| byte.is_ascii_digit()) { " s" } else { "" };
                format!(" and is to be asked again after {}{unit}", preview(&when, 100))
            });
            format!("answers 429: it has had too many requests{when}; try later, or with --max-rate N, so many a second")
        }
        (_, Some(status @ 300..=399)) => {
            let to = header("location").map_or_else(String::new, |to| {
                let to = redact_url(&absolute(url, &to));
                let to = preview(&to, 500);
                format!(" to {to}, and none is followed; if that is the endpoint, use it")
            });
            format!("answers with status {status}, a redirect{to}")
        }
        (Said::Error(error), Some(status)) => format!(
            "refuses both server/discover and initialize, so it is no MCP endpoint: status {status}, {}",
            preview(&error.to_json(), 200)
        ),
        (Said::Other(body), Some(status)) if body.trim().is_empty() => {
            format!(
                "answers with status {status} and no body, not with a JSON-RPC message; is the path right?"
            )
        }
        (Said::Other(body), Some(status)) => {
            let kind = header("content-type").unwrap_or_else(|| "no media type".to_owned());
            format!(
                "answers with status {status} and {}, not with a JSON-RPC message: {}; is the path right?",
                preview(&kind, 100),
                preview(body, 200)
            )
        }
        (Said::Refused(problem), _) if problem.starts_with(UNTRUSTED) => {
            format!("is not reached: {problem}")
        }
        (Said::Refused(problem), _) => {
            format!(
                "cannot be reached: {problem}; start the server, or give its command behind `--`"
            )
        }
        (Said::CutOff(problem), _) => format!("did not answer server/discover: {problem}"),
        (Said::Flood, _) => {
            "answers server/discover with more than mcpspec keeps, and perhaps without an end"
                .to_owned()
        }
        (Said::TooLarge(bytes), _) => format!(
            "answers server/discover with {}, which is more than mcpspec reads",
            size(usize::try_from(*bytes).unwrap_or(usize::MAX))
        ),
        (Said::Unreadable, _) => format!("answers server/discover with {UNREADABLE}"),
        (_, Some(status)) => format!(
            "began to answer server/discover with status {status}, but the answer was not there within {:.1} s",
            answer.since_opened.as_secs_f64()
        ),
        _ => format!(
            "did not answer server/discover within {:.1} s, nor initialize",
            answer.since_opened.as_secs_f64()
        ),
    }
}

/// Where a `Location` leads that may be relative to the endpoint.
fn absolute(endpoint: &str, location: &str) -> String {
    let joined = Url::parse(endpoint).and_then(|endpoint| endpoint.join(location));
    joined.map_or_else(|_| location.to_owned(), String::from)
}
