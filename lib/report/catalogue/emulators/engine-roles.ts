/** The cold JVM is what a test run meets first, the warm one what a long one meets. */
export const coldBaseline = "dynamodb-local";
export const warmBaseline = "dynamodb-local-warm";

/** Their tables are in files: they are asked what those take, and compared with nothing. */
export const enginesInFiles: readonly string[] = [
  "dynoxide-http-file",
  "dynamodb-local-file",
  "dynalite-file",
];
