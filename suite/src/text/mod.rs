/*!
Text from outside, made fit to be shown: bounded, escaped, redacted. Nothing else in mcpspec escapes or cuts.

A server may write anything: control characters, terminal sequences, text that reads backwards, `]]>`, a line of ten
megabytes. Whatever of it reaches a person or a file goes through here first.

| function | for |
|---|---|
| [`Redactor`], [`redact_url`], [`redact_command`] | everything that goes into a report |
| [`preview`], [`Bounded`] | values of unknown length |
| [`visible`] | names that may be empty |
| [`terminal_safe`] | what a terminal shows, one line at a time |
| [`xml_safe`] | what an XML file holds |
| [`toml_string`], [`toml_key`] | what a TOML file holds |
| [`wrap`], [`width`] | prose on a terminal |
| [`counted`], [`seconds`], [`size`] | numbers for people |
| [`telling_lines`] | the end of what a process wrote |
| [`closest`] | a name that was probably meant |
*/

mod bounded;
mod closest;
mod command;
mod preview;
mod redact;
#[cfg(test)]
mod redact_tests;
mod secret;
mod telling;
mod terminal;
mod toml;
mod url;
mod words;
mod wrap;
mod xml;

pub use self::toml::{toml_key, toml_string};
pub use bounded::Bounded;
pub use closest::closest;
pub use command::{WordSecret, command_secrets, redact_command};
pub use preview::{preview, visible};
pub use redact::{REDACTED, Redactor};
pub use secret::is_told_by_itself;
pub use telling::telling_lines;
pub use terminal::terminal_safe;
pub use url::{UrlParts, redact_url};
pub use words::{counted, seconds, size};
pub use wrap::{width, wrap};
pub use xml::xml_safe;
