import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { commandEnvironment } from "./command-environment.ts";
import { projectPaths } from "./project-paths.ts";
import { type CommandOptions, runCommand } from "./run-command.ts";

/** Returns the workspace's compiler version, or undefined if it prints none. Throws if there is no compiler. */
export function rustcVersion(): string | undefined {
  const line = execFileSync("rustc", ["--version"], {
    cwd: projectPaths.rust,
    encoding: "utf8",
    env: commandEnvironment("rust"),
  });
  return line.split(" ")[1];
}

/** Returns the first version of a crate in the workspace's lock file, or undefined if there is none. */
export function lockedVersion(crate: string): string | undefined {
  return lockedVersions(crate)[0];
}

/** Returns all locked versions: dependencies may require different versions of a crate. */
export function lockedVersions(crate: string): readonly string[] {
  const lock = readFileSync(join(projectPaths.rust, "Cargo.lock"), "utf8");
  const packages = lock.matchAll(new RegExp(`name = "${crate}"\\nversion = "([^"]+)"`, "g"));
  return [...packages].map(([, version = ""]) => version);
}

/** Targets of the stack's functions. */
const rustTargets = ["aarch64-unknown-linux-gnu", "x86_64-unknown-linux-gnu"];

/**
 * Returns the version that rust-toolchain.toml pins:
 * https://rust-lang.github.io/rustup/overrides.html#the-toolchain-file
 */
export function pinnedRust(folder: string = projectPaths.rust): string {
  const path = join(folder, "rust-toolchain.toml");
  const [, version] = /^channel = "(\d+\.\d+\.\d+)"$/m.exec(readFileSync(path, "utf8")) ?? [];
  if (version !== undefined) return version;
  throw new Error(`${path}: found no channel; expected a whole version, for example "1.95.0"`);
}

/**
 * Has rustup install the pinned Rust and the functions' targets if they are missing. Returns a description of the
 * Rust that is then in use. Without rustup, nothing is installed, and a different version is named.
 */
export async function prepareRust(options: CommandOptions = {}): Promise<string> {
  const pinned = pinnedRust();
  const surroundings = { ...options, cwd: projectPaths.rust, env: commandEnvironment("rust") };
  const { error, status } = spawnSync("rustup", ["run", pinned, "rustc", "--version"], {
    cwd: projectPaths.rust,
    env: surroundings.env,
    stdio: "ignore",
  });
  const targets = rustTargets.join(", ");
  if (error !== undefined) return `${rustInUse(pinned)}; see that it has the targets ${targets}`;
  if (status !== 0) {
    const install = ["toolchain", "install", pinned, "--no-self-update", "--profile", "minimal"];
    const parts = ["--component", "clippy", "--component", "rustfmt"];
    await runCommand("rustup", [...install, ...parts], surroundings);
  }
  await runCommand("rustup", ["target", "add", ...rustTargets], surroundings);
  return rustInUse(pinned);
}

function rustInUse(pinned: string): string {
  const found = installedRust();
  if (found === pinned) return `Rust ${found}, as pinned`;
  const remedy = `rust-toolchain.toml pins ${pinned}, which rustup (https://rustup.rs) would take`;
  return found === undefined ? `Rust: found none; ${remedy}` : `Rust ${found}: ${remedy}`;
}

/** Returns the workspace's compiler version, or undefined if there is no compiler. */
export function installedRust(): string | undefined {
  try {
    return rustcVersion();
  } catch {
    return undefined;
  }
}

/** Returns whether cargo is on PATH. It is not run: rustup's would first download a missing toolchain silently. */
export function hasCargo(path: string = process.env.PATH ?? ""): boolean {
  return path.split(delimiter).some((folder) => existsSync(join(folder, "cargo")));
}

export class CargoLambdaMissing extends Error {
  override readonly name = "CargoLambdaMissing";
  constructor() {
    super(
      "cargo lambda: found none that runs on PATH or in the project's .venv; it builds the Rust " +
        "functions. Install Rust (https://rustup.rs), then run `npm run setup`, which installs " +
        "cargo-lambda and zig into .venv, and `rustup target add aarch64-unknown-linux-gnu`",
    );
  }
}

/** Throws early with what to install. The Rust construct would try Docker first, and fail late without it. */
export function requireCargoLambda(): void {
  const { status } = spawnSync("cargo", ["lambda", "--version"], {
    stdio: "ignore",
    env: commandEnvironment("rust"),
  });
  if (status === 0) return;
  throw new CargoLambdaMissing();
}
