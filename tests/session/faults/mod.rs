//! What goes wrong: bad input, readers that are gone, memory that is not there.

#[cfg(unix)]
mod gone;
mod hostile;
mod input;
#[cfg(target_os = "linux")]
mod memory;
