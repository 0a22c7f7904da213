import { join } from "node:path";

/** Where the code of the functions lies: infra knows it by path and imports none of it. */
const root = join(import.meta.dirname, "..", "..");

export const lambdaPaths = {
  root,
  lockfile: join(root, "package-lock.json"),
  rust: join(root, "lambdas", "rust"),
  python: join(root, "lambdas", "python"),
  driver: join(root, "lambdas", "driver"),
} as const;
