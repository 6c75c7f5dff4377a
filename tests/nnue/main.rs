//! Networks: the public file formats and their evaluations.

mod files;
mod generator;
mod golden;
mod lines;
mod positions;
mod reference;
