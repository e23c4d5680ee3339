//! What the program does beside speaking the protocol, one file per subcommand.

pub mod bench;
