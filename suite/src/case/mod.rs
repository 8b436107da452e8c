/*!
Cases: their model, how they are loaded, checked against each other and chosen (`cases/README.md`).
*/

mod condition;
mod diagnostic;
mod embedded;
mod lint;
mod load;
mod matrix;
mod model;
mod schema;
mod select;
mod suite;

pub use diagnostic::Diagnostic;
pub use embedded::{digest, embedded};
pub use load::load_case;
pub use matrix::KillMatrix;
pub use model::{
    Alternative, Await, Body, Cancel, Case, Condition, Each, HTTP_MEMBERS, Http, Isolation, Judged,
    Notify, Raw, Repeat, Retry, Send, Silence, Since, Step, StepKind, Steps, Stop, StopHow, Watch,
    WatchKind, WriteHow,
};
pub use schema::json_schema;
pub use select::{Selection, SelectionError};
pub use suite::{OWN_REQUIREMENTS, Suite, SuiteFile};
