//! Networks: the public file formats and their evaluations.

mod embedded;
mod eval_file;
mod files;
mod generator;
mod golden;
mod kuro;
mod lines;
mod positions;
#[cfg(feature = "cli")]
mod program;
mod reference;
