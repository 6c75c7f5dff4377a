//! What goes wrong: bad input, readers that are gone, memory and threads that are not there.

#[cfg(target_os = "linux")]
mod control_group;
#[cfg(unix)]
mod gone;
mod hostile;
mod input;
#[cfg(target_os = "linux")]
mod memory;
#[cfg(unix)]
mod pipes;
