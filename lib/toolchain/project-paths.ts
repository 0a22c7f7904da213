import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";

/** The project's own folders. */
const root = join(import.meta.dirname, "..", "..");

/** False of an installed package, which has no functions to build. */
export const isRepository = existsSync(join(root, "lambdas", "rust", "Cargo.toml"));

export const projectPaths = {
  root,
  venv: join(root, ".venv"),
  venvBin: join(root, ".venv", "bin"),
  rust: join(root, "lambdas", "rust"),
  python: join(root, "lambdas", "python"),
  node: join(root, "lambdas", "node"),
  /** The drivers' sources, or in an installed package their bundle. */
  driver: isRepository ? join(root, "lambdas", "driver") : join(root, "dist", "driver"),
  /** A package lies where nobody looks for runs, and is gone with its next version. */
  runs: isRepository ? join(root, "runs") : resolve("runs"),
  /** Folder of what a run keeps for the next one: the stand-in's certificate chain. */
  cache: isRepository
    ? join(root, "node_modules", ".cache", "kelvin")
    : join(process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache"), "kelvin"),
  /** What describes this machine and outlives every clone and cache: its calibration. */
  state: join(process.env.XDG_STATE_HOME ?? join(homedir(), ".local", "state"), "kelvin"),
} as const;
