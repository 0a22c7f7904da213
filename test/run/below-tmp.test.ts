import { expect, it } from "vitest";
import { projectPaths } from "../../lib/toolchain/project-paths.ts";
import { belowTmp } from "./below-tmp.ts";
import { runSteps } from "./run-steps.ts";

it("a step runs from a clone below /tmp, or its name says why not", async () => {
  const step = belowTmp({ name: "where", command: "pwd", args: [] });
  const lines: string[] = [];
  await runSteps([step], (line) => lines.push(line));
  const folder = lines.find((line) => line.startsWith("/"));
  if (step.name.includes("not below /tmp: ")) expect(folder).toBe(projectPaths.root);
  else expect(folder).toMatch(/^\/tmp\//);
});
