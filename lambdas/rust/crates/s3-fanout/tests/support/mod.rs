pub mod memory_bucket;
