import { projectPaths } from "../../lib/toolchain/project-paths.ts";
import { preparePythonVenv } from "../../lib/toolchain/python-venv.ts";
import { runCommand } from "../../lib/toolchain/run-command.ts";

/** `kelvin setup`: what `cdk synth` and the tests need beside npm's packages. */
export async function setup(): Promise<void> {
  const say = (text: string) => process.stderr.write(`${text}\n`);
  const version = await preparePythonVenv({ onLine: say });
  say(`Python ${version} with cargo-lambda and zig in ${projectPaths.venv}`);
  for (const target of ["aarch64-unknown-linux-gnu", "x86_64-unknown-linux-gnu"]) {
    await runCommand("rustup", ["target", "add", target], { onLine: say });
  }
}
