import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { commandEnvironment } from "./command-environment.ts";
import { projectPaths } from "./project-paths.ts";
import { type CommandOptions, runCommand } from "./run-command.ts";

/** The version of the compiler that builds the workspace; undefined if it prints none. Throws if there is no compiler. */
export function rustcVersion(): string | undefined {
  const line = execFileSync("rustc", ["--version"], {
    cwd: projectPaths.rust,
    encoding: "utf8",
    env: commandEnvironment("rust"),
  });
  return line.split(" ")[1];
}

/** The first version that the workspace's lockfile has of a crate; undefined where it has none. */
export function lockedVersion(crate: string): string | undefined {
  return lockedVersions(crate)[0];
}

/** All of them: two dependencies may ask for a crate in two versions. */
export function lockedVersions(crate: string): readonly string[] {
  const lock = readFileSync(join(projectPaths.rust, "Cargo.lock"), "utf8");
  const packages = lock.matchAll(new RegExp(`name = "${crate}"\\nversion = "([^"]+)"`, "g"));
  return [...packages].map(([, version = ""]) => version);
}

/** `rustTargets` are what the stack's functions are built for. */
const rustTargets = ["aarch64-unknown-linux-gnu", "x86_64-unknown-linux-gnu"];

/** The version that rust-toolchain.toml pins: https://rust-lang.github.io/rustup/overrides.html#the-toolchain-file */
export function pinnedRust(folder: string = projectPaths.rust): string {
  const path = join(folder, "rust-toolchain.toml");
  const [, version] = /^channel = "(\d+\.\d+\.\d+)"$/m.exec(readFileSync(path, "utf8")) ?? [];
  if (version !== undefined) return version;
  throw new Error(`${path}: found no channel; expected a whole version, for example "1.95.0"`);
}

/**
 * Has rustup install the pinned Rust where it is missing, and what the functions are built for; returns what
 * there is then, in words. Without rustup nothing is installed, and another Rust is named as such.
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

/** The version of the compiler that builds the workspace; undefined where there is none. */
export function installedRust(): string | undefined {
  try {
    return rustcVersion();
  } catch {
    return undefined;
  }
}

/** Whether cargo is on PATH. It is not run: rustup's would first download a missing toolchain, and say nothing. */
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

/**
 * Says at once what to install. The construct that builds the Rust functions would turn to Docker
 * first, and fail late where there is none.
 */
export function requireCargoLambda(): void {
  const { status } = spawnSync("cargo", ["lambda", "--version"], {
    stdio: "ignore",
    env: commandEnvironment("rust"),
  });
  if (status === 0) return;
  throw new CargoLambdaMissing();
}
