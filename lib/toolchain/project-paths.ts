import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";

/** The project's own folders. */
const root = join(import.meta.dirname, "..", "..");

/** False in an installed package, which has no functions to build. */
export const isRepository = existsSync(join(root, "lambdas", "rust", "Cargo.toml"));

export const projectPaths = {
  root,
  venv: join(root, ".venv"),
  venvBin: join(root, ".venv", "bin"),
  rust: join(root, "lambdas", "rust"),
  python: join(root, "lambdas", "python"),
  node: join(root, "lambdas", "node"),
  /** The drivers' sources; in an installed package, their bundle. */
  driver: isRepository ? join(root, "lambdas", "driver") : join(root, "dist", "driver"),
  /** An installed package uses the working directory: its own folder is replaced by its next version. */
  runs: isRepository ? join(root, "runs") : resolve("runs"),
  /** Files that a run keeps for the next one, such as the stand-in's certificate chain. */
  cache: isRepository
    ? join(root, "node_modules", ".cache", "kelvin")
    : join(process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache"), "kelvin"),
} as const;
