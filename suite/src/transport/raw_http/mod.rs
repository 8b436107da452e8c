/*!
The client for requests that no library would send: HTTP/1.1 on a plain or TLS connection, every byte as given.

Responses are read strictly, by [`httparse`] and a framing of our own, since a judge has to see what a library forgives.
A [`RawClient`] belongs to one link: it keeps idle connections and opens more while others are busy.
*/

mod body;
mod client;
mod dial;
mod head;
mod request;
mod wire;

pub(super) use client::RawClient;
pub(super) use dial::Dialer;
