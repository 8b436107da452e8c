//! `notify`, `raw` and `http`: things that are no request.

use std::sync::Arc;
use std::time::Duration;

use mcpspec_wire::Value;

use crate::case::{Http, Notify, Raw, Step, WriteHow};
use crate::judge::{Moment, StepClass};
use crate::spec::Transport;
use crate::template::{Kind, Resolved};
use crate::transcript::{Era, ExchangeId, HeaderLine, SentKind};
use crate::transport::Outgoing;

use super::super::draft::{self, Departures};
use super::super::row::{Flow, Row, StepError};
use super::send::{ANSWER, write_mode};
use super::settle::closed;

impl<'a> Row<'a> {
    pub(in super::super) async fn notify(
        &mut self,
        step: &'a Step,
        notify: &'a Notify,
    ) -> Result<Flow, StepError> {
        let outgoing = self.notification(step, notify)?;
        let began = self.length(&step.link);
        let id = match self.dispatch(&step.link, outgoing).await {
            Ok(id) => id,
            Err(error) if error.is_closed() => return self.judge_closed(step, None),
            Err(error) => return Err(error),
        };
        if self.session.transport() == Transport::Stdio {
            return Ok(Flow::Next);
        }
        self.judge_exchange(step, id, began).await
    }

    /// The notification of a step.
    pub(in super::super) fn notification(
        &self,
        step: &Step,
        notify: &Notify,
    ) -> Result<Outgoing, StepError> {
        let Resolved::Value(Value::String(method)) = notify.method.resolve(&self.scope())? else {
            return Err(StepError::Other("there is no method to notify".to_owned()));
        };
        let departures = Departures {
            params: self.change(notify.params.as_ref())?,
            meta: self.change(notify.meta.as_ref())?,
            envelope: self.change(notify.envelope.as_ref())?,
            headers: self.header_changes(notify.headers.as_ref())?,
            ..Departures::default()
        };
        let around = self.session.surroundings(&self.origin);
        let composed = match notify.era {
            Era::Modern => draft::notification(&method, &departures, &around),
            Era::Legacy => draft::legacy(
                &method,
                None,
                &departures,
                self.legacy_headers(&step.link),
                &around,
            ),
        };
        let crlf = notify.write == Some(WriteHow::CrLf);
        let write = write_mode(notify.write);
        Ok(composed.outgoing(SentKind::Notification, write, crlf, &around))
    }

    pub(in super::super) async fn raw(
        &mut self,
        step: &'a Step,
        raw: &'a Raw,
    ) -> Result<Flow, StepError> {
        let outgoing = self.raw_bytes(raw)?;
        let began = self.length(&step.link);
        let id = match self.dispatch(&step.link, outgoing).await {
            Ok(id) => id,
            Err(error) if error.is_closed() => return self.judge_closed(step, None),
            Err(error) => return Err(error),
        };
        let is_unwatched = step.given.is_none() && step.judged.is_none() && step.name.is_none();
        let link = self.link(&step.link).await?;
        if is_unwatched && self.session.transport() == Transport::Stdio {
            // Nothing waits for it, so it must not stand in the way of attributing what follows.
            link.journal()
                .write(|transcript, now| transcript.expired(now, id));
            return Ok(Flow::Next);
        }
        self.judge_exchange(step, id, began).await
    }

    /// The bytes of a step.
    pub(in super::super) fn raw_bytes(&self, raw: &Raw) -> Result<Outgoing, StepError> {
        let bytes = self.bytes(&raw.text)?;
        let headers = self.header_changes(raw.headers.as_ref())?;
        let around = self.session.surroundings(&self.origin);
        let id = self.session.ids.next_id();
        Ok(draft::raw(bytes, headers.as_deref(), id, &around))
    }

    /// Waits for what comes back for a notification or for bytes, and judges it.
    async fn judge_exchange(
        &mut self,
        step: &Step,
        id: ExchangeId,
        began: usize,
    ) -> Result<Flow, StepError> {
        let limit = self.limit(step, ANSWER)?;
        let link = self.link(&step.link).await?;
        let deadline = self.session.deadline(link.journal(), limit);
        let value = self
            .await_outcome(&step.link, id, deadline, Moment::Sending)
            .await?;
        self.name_outcome(
            step.name.as_deref(),
            &step.link,
            vec![id],
            value.clone(),
            began,
        );
        Ok(self.judge_step(step, &value, StepClass::Exchange, None))
    }

    pub(in super::super) async fn http(
        &mut self,
        step: &'a Step,
        http: &'a Http,
    ) -> Result<Flow, StepError> {
        let urls = self.urls(http)?;
        let mut value = closed();
        let mut exchanges = Vec::new();
        let began = self.length(&step.link);
        for (index, url) in urls.iter().enumerate() {
            let limit = self.limit(step, ANSWER)?;
            value = self.call(step, http, url, limit, &mut exchanges).await?;
            let wanted = step
                .given
                .as_ref()
                .or(step.judged.as_ref().map(|judged| &judged.expect));
            let is_last = index + 1 == urls.len();
            let matched = match wanted {
                Some(matcher) if !is_last => {
                    self.check(&value, matcher, StepClass::Exchange)?.matches()
                }
                _ => true,
            };
            if matched {
                break;
            }
        }
        self.name_outcome(
            step.name.as_deref(),
            &step.link,
            exchanges,
            value.clone(),
            began,
        );
        let implied = &self.session.defaults.answer;
        Ok(self.judge_step(step, &value, StepClass::Exchange, Some(implied)))
    }

    async fn call(
        &mut self,
        step: &Step,
        http: &Http,
        url: &str,
        limit: Duration,
        exchanges: &mut Vec<ExchangeId>,
    ) -> Result<Value, StepError> {
        let outgoing = self.http_request(http, url)?;
        let id = self.dispatch(&step.link, outgoing).await?;
        exchanges.push(id);
        let link = self.link(&step.link).await?;
        let deadline = self.session.deadline(link.journal(), limit);
        self.await_outcome(&step.link, id, deadline, Moment::Sending)
            .await
    }

    /// The HTTP request of a step to one of its URLs.
    pub(in super::super) fn http_request(
        &self,
        http: &Http,
        url: &str,
    ) -> Result<Outgoing, StepError> {
        let Resolved::Value(Value::String(method)) = http.method.resolve(&self.scope())? else {
            return Err(StepError::Other("there is no HTTP method".to_owned()));
        };
        let endpoint = self.session.target.url().unwrap_or_default();
        let is_neighbour = || {
            self.session
                .target
                .other_urls()
                .iter()
                .any(|other| other == url)
        };
        if !same_host(url, endpoint) && !is_neighbour() {
            return Err(StepError::Other(format!(
                "{url} is not on a host that this run was pointed at"
            )));
        }
        let mut headers = Vec::new();
        if origin_of(url) == origin_of(endpoint) {
            let configured = &self.session.target.options().headers;
            let authorization = configured
                .iter()
                .filter(|(name, _)| name.eq_ignore_ascii_case("authorization"));
            headers.extend(
                authorization.map(|(name, value)| HeaderLine::new(name.as_str(), value.as_bytes())),
            );
        }
        for change in self
            .header_changes(http.headers.as_ref())?
            .unwrap_or_default()
        {
            let name = change.name.trim_end_matches(':').to_owned();
            let tight = change.name.ends_with(':');
            headers.retain(|line: &HeaderLine| !line.name.eq_ignore_ascii_case(&name));
            headers.extend(change.lines.into_iter().map(|value| HeaderLine {
                name: name.clone(),
                value,
                tight,
            }));
        }
        let body = match &http.body {
            Some(body) => self.bytes(body)?,
            None => Vec::new(),
        };
        let origin = Arc::clone(&self.origin);
        Ok(draft::http(&method, url, headers, body, origin))
    }

    /// The URLs to try: the endpoint by default; a path is taken on its origin.
    pub(in super::super) fn urls(&self, http: &Http) -> Result<Vec<String>, StepError> {
        let endpoint = self.session.target.url().unwrap_or_default();
        let Some(data) = &http.url else {
            return Ok(vec![endpoint.to_owned()]);
        };
        let absolute = |url: &str| {
            if url.starts_with('/') {
                format!("{}{url}", origin_of(endpoint))
            } else {
                url.to_owned()
            }
        };
        if let Kind::List(items) = &data.kind
            && items.is_empty()
        {
            return Err(StepError::Other("there is no URL to call".to_owned()));
        }
        match self.resolve(data)? {
            Resolved::Value(Value::String(url)) => Ok(vec![absolute(&url)]),
            Resolved::Value(Value::Array(urls)) => Ok(urls
                .iter()
                .filter_map(Value::as_str)
                .map(absolute)
                .collect()),
            _ => Err(StepError::Other(
                "a URL is a text or a list of texts".to_owned(),
            )),
        }
    }
}

/// Scheme, host and port of a URL, as written.
fn origin_of(url: &str) -> &str {
    let host = url.find("://").map_or(0, |scheme| scheme + 3);
    url[host..]
        .find(['/', '?', '#'])
        .map_or(url, |path| &url[..host + path])
}

/// Whether two URLs name one host, whatever their ports.
fn same_host(left: &str, right: &str) -> bool {
    let host = |url: &str| {
        let origin = origin_of(url);
        let authority = origin
            .split_once("://")
            .map_or(origin, |(_, authority)| authority);
        let authority = authority
            .rsplit_once('@')
            .map_or(authority, |(_, host)| host);
        let end = match authority.strip_prefix('[') {
            Some(literal) => literal.find(']').map_or(authority.len(), |end| end + 2),
            None => authority.find(':').unwrap_or(authority.len()),
        };
        authority[..end].to_ascii_lowercase()
    };
    host(left) == host(right)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_origin_ends_before_path_query_or_fragment() {
        for (url, origin) in [
            ("http://a:1/mcp?x#y", "http://a:1"),
            ("https://a", "https://a"),
            ("http://a?x", "http://a"),
        ] {
            assert_eq!(origin_of(url), origin);
        }
    }

    #[test]
    fn hosts_are_compared_without_port_and_letter_case() {
        assert!(same_host("http://A:1/x", "http://a:2/y"));
        assert!(same_host("http://[::1]:1/x", "http://[::1]/"));
        assert!(!same_host("http://a.example/x", "http://b.example/x"));
        assert!(!same_host("http://user@b.example/", "http://user/"));
    }
}
