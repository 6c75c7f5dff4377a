//! The USI protocol: its messages, and the session that answers them.

#[cfg(feature = "cli")]
pub(crate) mod lines;
pub mod message;
pub mod parser;
#[cfg(feature = "cli")]
pub mod session;
