import { preparePythonVenv } from "../../lib/toolchain/python-venv.ts";
import { runCommand } from "../../lib/toolchain/run-command.ts";
import { findValgrind, howToHaveValgrind, installValgrind } from "../../lib/toolchain/valgrind.ts";

/** What the stack's functions are built for. */
const rustTargets = ["aarch64-unknown-linux-gnu", "x86_64-unknown-linux-gnu"];

/** `kelvin setup`: what `cdk synth` and the tests need beside npm's packages. */
export async function setup(): Promise<void> {
  const say = (text: string) => void process.stderr.write(`${text}\n`);
  const version = await preparePythonVenv({ onLine: say });
  say(`Python ${version} with cargo-lambda and zig in .venv`);
  await runCommand("rustup", ["target", "add", ...rustTargets], { onLine: say }).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code !== "ENOENT") throw error;
      say(`rustup: found none; see that your Rust has the targets ${rustTargets.join(", ")}`);
    },
  );
  await installValgrind({ onLine: say });
  const valgrind = findValgrind();
  say(
    valgrind === undefined
      ? `valgrind: found none; counting instructions needs ${howToHaveValgrind}`
      : `valgrind ${valgrind.version}`,
  );
}
