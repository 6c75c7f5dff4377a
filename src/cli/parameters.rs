//! `kurosabi parameters`, in a build with the feature `tuning`.

use std::io::Write;

use crate::cli::failure::Result;
use crate::cli::terminal::Output;
use crate::search::PARAMETERS;

pub(super) fn run() -> Result {
    let mut out = Output::data();
    for parameter in &PARAMETERS {
        let (name, default) = (parameter.name, parameter.default);
        writeln!(out, "{name} {default} {} {} {}", parameter.min, parameter.max, parameter.step)?;
    }
    Ok(())
}
