/*!
stdio: lines to a process and from it (page `basic/transports/stdio`).

A [`Link`] has three tasks. The writer owns the process's input and takes messages from a bounded queue, the reader
splits its output into lines, and a third waits for the end of both and records it. The process may also be the
reference server in this program: see [`Parts`].
*/

mod link;
mod reader;
mod writer;

pub(super) use link::{Link, Parts, Process};
