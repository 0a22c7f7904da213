import { join } from "node:path";
import { projectPaths } from "../lib/toolchain/project-paths.ts";
import { belowTmp } from "./run/below-tmp.ts";
import { runAndCount } from "./run/run-steps.ts";
import type { Step } from "./run/step.ts";
import {
  cargo,
  clippy,
  lintedAsBuilt,
  pytest,
  pythonTool,
  rustTests,
  script,
  vitest,
} from "./run/tools.ts";

// `npm test`: every check and every test of the three languages, and a last line of what they came to.

/** From lambdas/python, where its tools run. */
const pythonFolders = [
  ".",
  ...["examples", "test/support"].map((path) => join(projectPaths.root, path)),
];
const plugin = join(projectPaths.root, "test", "support", "localemu");

const setUp: Step = { name: "set-up", command: "npm", args: ["run", "--silent", "setup"] };

const sandboxes = "test/local/sandbox/";

/** The longest of all: everything that Rust's compiler makes, one command at a time. */
const functions = {
  ...script("functions, stand-ins and engines (Rust)", "build-for-e2e.ts"),
  environment: lintedAsBuilt,
  after: [setUp],
};
/** Not beside the set-up: of two that miss the pinned Rust each would have rustup install it. */
const rustLint: Step = { ...clippy("lint (Rust)"), after: [setUp] };

/** What fails soon comes first. */
const checks = inTurn(setUp, [
  { name: "lint and format (TypeScript)", command: "npx", args: ["biome", "check", "."] },
  { name: "types (TypeScript)", command: "npx", args: ["tsc"] },
  pythonTool("lint (Python)", "ruff", ["check", ...pythonFolders]),
  pythonTool("format (Python)", "ruff", ["format", "--check", ...pythonFolders]),
  pythonTool("types (Python)", "mypy", []),
  pythonTool("types (the emulator's plugin)", "mypy", [], plugin),
  cargo("format (Rust)", ["fmt", "--check"]),
  pytest("tests (Python)"),
  pytest("tests (the emulator's plugin)", plugin),
  { ...vitest("unit"), environment: { KELVIN_TESTED_ELSEWHERE: `${sandboxes}**` } },
]);
const fetching = script("emulators, linters, a browser", "prepare-e2e.ts");
const proofs: Step = { ...vitest("e2e-proof"), after: [fetching, ...checks] };
const deploys: Step = { ...vitest("e2e-deploy"), after: [functions, proofs] };
/** Runs of functions, and the unit tests of their sandboxes: where a clone is matters to them most. */
const ofRuns = vitest("e2e-run", ["--project", "unit", "test/e2e", sandboxes]);
const runs: Step = { ...belowTmp(ofRuns), after: [functions, proofs] };
const rustUnits: Step = { ...rustTests("tests (Rust)"), after: [rustLint] };

/** Its tests hold times against each other. */
const measuring: Step = { ...vitest("e2e-measuring"), isAlone: true };

const together = [
  setUp,
  rustLint,
  fetching,
  functions,
  ...checks,
  rustUnits,
  proofs,
  deploys,
  runs,
];
await runAndCount([...together, measuring]);

/** The steps with each after the one before, and the first after another. */
function inTurn(first: Step, steps: readonly Step[]): readonly Step[] {
  const chained: Step[] = [];
  for (const step of steps) chained.push({ ...step, after: [chained.at(-1) ?? first] });
  return chained;
}
