//! `kurosabi parameters`, in a build with the feature `tuning`.

use std::io::{self, Write};

use crate::cli::failure::Result;
use crate::search::PARAMETERS;

pub(super) fn run() -> Result {
    let mut out = io::stdout();
    for parameter in &PARAMETERS {
        let (name, default) = (parameter.name, parameter.default);
        writeln!(out, "{name} {default} {} {} {}", parameter.min, parameter.max, parameter.step)?;
    }
    Ok(())
}
