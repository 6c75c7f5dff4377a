//! The USI protocol: its messages, and the session that answers them.

#[cfg(feature = "session")]
pub(crate) mod lines;
pub mod message;
pub mod parser;
#[cfg(feature = "session")]
pub mod session;
