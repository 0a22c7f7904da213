import { join } from "node:path";

/** The project's own folders. */
const root = join(import.meta.dirname, "..", "..");

export const projectPaths = {
  root,
  lockfile: join(root, "package-lock.json"),
  venv: join(root, ".venv"),
  venvBin: join(root, ".venv", "bin"),
  rust: join(root, "lambdas", "rust"),
  python: join(root, "lambdas", "python"),
  node: join(root, "lambdas", "node"),
  driver: join(root, "lambdas", "driver"),
  runs: join(root, "runs"),
  /** What a run leaves for the next one: the stand-in's certificate chain. */
  cache: join(root, "node_modules", ".cache", "kelvin"),
} as const;
