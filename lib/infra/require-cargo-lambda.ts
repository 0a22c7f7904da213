import { spawnSync } from "node:child_process";
import { commandEnvironment } from "../toolchain/command-environment.ts";

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
