//! What both contract suites need: the shared cases and an in-memory twin of the table.

pub mod cases;
pub mod memory_table;
