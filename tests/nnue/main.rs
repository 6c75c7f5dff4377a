//! Networks: the public file formats and their evaluations.

mod files;
mod generator;
mod golden;
mod lines;
mod own;
mod positions;
mod reference;
