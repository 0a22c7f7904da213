import { preparePythonVenv } from "../../lib/toolchain/python.ts";
import { prepareRust } from "../../lib/toolchain/rust-toolchain.ts";
import { findValgrind, howToHaveValgrind, installValgrind } from "../../lib/toolchain/valgrind.ts";

/** `kelvin setup`: installs what `cdk synth` and the tests need besides npm's packages. */
export async function setup(): Promise<void> {
  const say = (text: string) => void process.stderr.write(`${text}\n`);
  const version = await preparePythonVenv({ onLine: say });
  say(`Python ${version} with cargo-lambda and zig in .venv`);
  say(await prepareRust({ onLine: say }));
  await installValgrind({ onLine: say });
  const valgrind = findValgrind();
  say(
    valgrind === undefined
      ? `valgrind: found none; counting instructions needs ${howToHaveValgrind}`
      : `valgrind ${valgrind.version}`,
  );
}
