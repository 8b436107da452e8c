//! `schema`: the JSON Schemas that mcpspec publishes.

use super::args::{SchemaArguments, SchemaOf};
use super::output::print;
use super::{CliError, Exit};

pub(super) fn schema(arguments: &SchemaArguments) -> Result<Exit, CliError> {
    let schema = match arguments.what {
        SchemaOf::Case => crate::case::json_schema(),
        SchemaOf::Config => crate::config::json_schema(),
        SchemaOf::Report => crate::report::json_schema(),
    };
    print(&schema)?;
    Ok(Exit::Clean)
}
