//! From files to what is to be analysed.

mod jobs;
mod source;

pub(super) use jobs::{BadInput, Game, InputError, Job, JobQueue, Jobs};
