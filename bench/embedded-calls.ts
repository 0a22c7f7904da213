/**
 * The calls, named as in the driver's `count` and criterion's bench, with how often each is made when instructions
 * are counted: enough for the noise of filling the table to be negligible.
 */
export const embeddedCalls = {
  get: 200,
  put_small: 200,
  put_medium: 200,
  put_large: 40,
  query: 40,
  query_index: 200,
  scan: 6,
  update: 200,
  delete: 200,
  batch_write: 20,
  batch_get: 20,
  transact_write: 100,
} as const;

/** The engine's name in a baseline, and in criterion's group. */
export const embeddedEngine = "dynoxide-embedded";
