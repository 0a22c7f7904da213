import { mutantSteps } from "./run/mutants.ts";
import { runAndCount } from "./run/run-steps.ts";
import type { Step } from "./run/step.ts";
import { cargo, script, vitest } from "./run/tools.ts";

// `npm run test:release`: what `npm test` leaves out, because it compiles the AWS SDK several times more.
// CONTRIBUTING.md has the list.

const everything = ["--locked", "--workspace", "--all-targets", "--all-features"];

const setUp: Step = { name: "set-up", command: "npm", args: ["run", "--silent", "setup"] };
const fetching = script("emulators, linters, a browser", "prepare-e2e.ts");
const environment = { KELVIN_TESTS: "release" };
const runs: Step = {
  ...vitest("e2e-run", ["artefacts", "killed-run"]),
  name: "every Rust variant of dynamodb on an arm64 processor, and a run killed 20 times",
  environment,
};
const whole: Step = {
  ...vitest("e2e-proof", ["large-input", "large-run", "limits"]),
  name: "whole sizes, and 200 contexts",
  environment,
};
const properties: Step = {
  ...vitest("unit"),
  name: "unit tests with new random cases",
  environment,
};
const lint = cargo("lint (Rust), every crate with every feature", [
  ...["clippy", ...everything],
  ...["--", "-D", "warnings"],
]);

await runAndCount([
  ...[setUp, fetching, properties, whole, runs, lint].map((step) => ({
    ...step,
    isAlone: true as const,
  })),
  ...mutantSteps({ share: 0.02, seed: 1 }),
]);
