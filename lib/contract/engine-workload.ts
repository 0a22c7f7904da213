/**
 * The 13 steps, in the order in which they must be made. The driver has them too:
 * lambdas/rust/crates/emulators/src/workload.rs, which refuses a name that it does not know.
 */
export const workload: readonly string[] = [
  "create_table",
  "batch_write",
  "get",
  "put",
  "query",
  "query_index",
  "query_paginated",
  "scan",
  "update",
  "transact_write",
  "batch_get",
  "delete",
  "delete_table",
];

/** Fifty small tests, one after another and four at a time. */
export const pipelines: readonly string[] = ["pipeline", "pipeline_4"];
