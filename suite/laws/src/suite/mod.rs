//! Laws of what `mcpspec` makes of decoded values: cases, matchers, shapes, arguments, headers, reports.

mod arguments;
mod case_file;
mod header_match;
mod junit_text;
mod matcher;
mod schema;
mod shapes;
mod yaml;

pub use arguments::arguments;
pub use case_file::case_file;
pub use header_match::header_match;
pub use junit_text::junit_text;
pub use matcher::matcher;
pub use shapes::shapes;
