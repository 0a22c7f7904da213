import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { kelvinProgram } from "../../bin/program.ts";
import { projectPaths } from "../../lib/toolchain/project-paths.ts";

const page = readFileSync(join(projectPaths.root, "docs/from-power-tuning.md"), "utf8");
const rows = page
  .split("\n")
  .filter((line) => line.startsWith("|"))
  .slice(2)
  .map((line) => line.split("|").map((cell) => cell.trim()));

/** Of the state machine, as its README-INPUT-OUTPUT.md lists them. */
const inputs =
  "lambdaARN powerValues num payload payloadS3 parallelInvocation strategy balancedWeight autoOptimize autoOptimizeAlias dryRun preProcessorARN postProcessorARN discardTopBottom sleepBetweenRunsMs disablePayloadLogs includeOutputResults onlyColdStarts allPowerValues".split(
    " ",
  );

it("the table for users of Power Tuning has each of its inputs, with what stands for it or why none", () => {
  const named = rows.map(([, input]) => input).join(" ");
  for (const input of inputs) expect(named).toContain(`\`${input}\``);
  for (const [, input, ours, why] of rows) {
    expect(ours, input).not.toBe("");
    expect(why, input).not.toBe("");
  }
});

it("names no option that no command has", () => {
  const known = kelvinProgram().commands.flatMap(({ options }) => options.map(({ long }) => long));
  const ours = [...page.matchAll(/`(--[a-z-]+|kelvin [^`]+)/g)].flatMap(([, code = ""]) =>
    [...code.matchAll(/--[a-z-]+/g)].map(([option]) => option),
  );
  const ofMeasure = ["--event", "--functions"];
  expect(ours.length).toBeGreaterThan(8);
  for (const option of ours) expect([...known, ...ofMeasure]).toContain(option);
});
