/*!
Running cases: which apply, in what order, step by step, and what they come to.

[`run`] surveys each target, plans its cases into rows, runs the rows side by side, lets the watches look at every link
that closes, and sends [`Event`](crate::event::Event)s. It knows no reporter.

| file | does |
|---|---|
| `run`, `rows` | targets side by side; their rows side by side |
| `plan`, `order`, `quiet` | which cases apply to a target, and their rows; which begin first; which run alone |
| `session` | what is true of one target for every row: links, limits, health |
| `pool`, `links` | processes that go from row to row; the links of one row |
| `row`, `judging`, `steps/` | one row, how it judges, and what each step does |
| `draft`, `headers`, `marked`, `bad_calls` | what is sent |
| `rehearse` | what a run would send, without sending it |
| `scope`, `conditions`, `random` | what placeholders and conditions stand for |
| `lack` | why a case does not apply to a target, in a sentence |
| `outlook` | what cases wait for that the user could tell |
| `finding`, `compare` | what rows, watches and pairs of targets come to |
*/

mod bad_calls;
mod compare;
mod conditions;
mod draft;
mod finding;
mod headers;
mod info;
mod judging;
mod lack;
mod links;
mod marked;
mod misnamed;
mod order;
mod outlook;
mod plan;
mod pool;
mod principals;
mod quiet;
mod random;
mod rehearse;
mod request;
mod row;
mod rows;
#[expect(
    clippy::module_inception,
    reason = "the file is named for the function that it holds"
)]
mod run;
mod scope;
mod session;
mod sought;
mod steps;
mod turn;
mod unmet;
mod unseen;
#[cfg(test)]
mod unseen_tests;

pub use headers::differ as headers_differ;
pub use outlook::{Outlook, outlook};
pub use rehearse::rehearse;
pub use request::{Credentials, RunOptions, RunRequest, TargetRequest};
pub use run::run;
