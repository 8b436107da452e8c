//! What the server offers: its tools, resources and prompts. Their triggers are listed in the README of the crate.

mod asking;
mod content;
mod dialects;
mod fixtures;
mod prompts;
mod resources;
mod routing;
mod streaming;
mod tools;

pub(crate) use asking::SITE_CREDENTIAL;
pub(crate) use content::{icon, text};
pub(crate) use prompts::{Prompt, PromptWork, find_prompt, prompts};
pub(crate) use resources::{
    Readable, completions, find_resource, is_private, listed_resources, resources, templates,
};
pub(crate) use tools::{Job, Tool, Work, tools};
