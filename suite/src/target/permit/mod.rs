/*!
The one gate for tool calls: malformed and raw ones included, since a lenient server runs those too.

It reads what is about to be sent as leniently as the most lenient server would, collects every name that a tool could be
called by, and lets it through only if each of them is either that of permitted tools or of none at all.
*/

mod gate;
mod names;
mod policy;

pub use gate::{Permit, PermitError};
pub use policy::CallTools;
pub(super) use policy::is_destructive;
