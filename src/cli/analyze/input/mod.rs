//! From files to what is to be analysed.

mod jobs;
mod queue;
mod source;

pub(super) use jobs::{BadInput, Game, InputError, Job, Jobs};
pub(super) use queue::JobQueue;
