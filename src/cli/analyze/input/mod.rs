//! From files to what is to be analysed.

mod jobs;
mod queue;
mod source;

pub(super) use jobs::{BadInput, Game, InputError, Job, Jobs, KeptItem, Place, Reading};
pub(super) use queue::JobQueue;
pub(super) use source::holds_lines;
