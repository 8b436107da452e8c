/*!
Processes that mcpspec starts: each is a group of its own, and nothing of it outlives its link.

On Linux mcpspec makes itself the reaper of its descendants, and each process gets a mark in its environment that its
children inherit: so even one that left the group, or whose parent is gone, is found and ended.
*/

mod background;
mod child;
mod descendants;
mod stderr;

pub(crate) use background::Background;
pub(crate) use child::{Child, ChildError, CommandLine};
pub(crate) use descendants::spare_unmarked;
