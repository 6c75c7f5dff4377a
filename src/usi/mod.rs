//! The USI protocol: its messages, and the session that answers them.

pub(crate) mod lines;
pub mod message;
pub mod parser;
pub mod session;
