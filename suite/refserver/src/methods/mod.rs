//! The methods of the revision.

mod completion;
mod discover;
mod dispatch;
mod legacy;
mod list;
mod listen;
mod prompts;
mod resources;
mod tools;

pub(crate) use discover::server_info;
pub(crate) use dispatch::run;
pub(crate) use legacy::{SESSION_HEADER, is_session, new_session, turns_legacy};
pub(crate) use listen::notification_of;
