import { describe, expect, it } from "vitest";
import { type PrintedReport, printReport } from "../../bin/run/write-report.ts";
import type { Manifest, NoiseInterval } from "../../lib/contract/types/contract.ts";
import { renderReport } from "../../lib/experiments/render-report.ts";
import { functionsExperimentId } from "../../lib/plan/functions-subject.ts";
import { wrapped } from "../../lib/report/document/wrapped.ts";
import type { ExperimentPage } from "../../lib/report/experiment-report.ts";
import { renderOverview } from "../../lib/report/overview.ts";
import { enginePlan, engineReport, engineSamples } from "../studies/support/engine-fixture.ts";
import { capturedOutput } from "../support/captured-output.ts";
import { type FixtureChoice, fixtureInputs } from "./support/fixture.ts";
import { multicoreChoice, multicorePlan, multicoreSamples } from "./support/multicore-fixture.ts";

const everySize = [128, 256, 512, 1024, 1769, 3008];
const folder = "runs/20260102T0304Z-a1b2c3";
const speed = { schemaVersion: 2, handshakeMs: 0.2, interpreterMs: 5, allocationMs: 12 } as const;

/** What a run of a machine says of it: nothing, that it was quiet, or one warning. */
const machines = {
  silent: undefined,
  quiet: [0, 0.02],
  busy: [1.2, 1.6],
  changed: [0, 0.01],
} as const;
type MachineName = keyof typeof machines;

function noiseOf(name: MachineName): Partial<Omit<Manifest, "counts">> {
  const taken = machines[name];
  if (taken === undefined) return {};
  const intervals = taken.map((otherCpus, block): NoiseInterval => {
    const factor = name === "changed" && block === 1 ? 1.9 : 1;
    return {
      ...{ block, seconds: 10, otherCpus, stolenCpus: 0, load: 6.1 },
      speed: {
        ...{ ...speed, handshakeMs: speed.handshakeMs * factor },
        ...{ interpreterMs: speed.interpreterMs * factor },
        ...{ allocationMs: speed.allocationMs * factor },
      },
    };
  });
  return { noise: { intervals } };
}

/** A report of one experiment, as a command prints it. */
async function printed(choice: FixtureChoice, machine: MachineName, experiment?: string) {
  const plan = experiment === undefined ? {} : { plan: { experiment } };
  const { headline, lastLine, files } = await renderReport(
    fixtureInputs(choice, { manifest: noiseOf(machine), ...plan }),
  );
  const page = JSON.parse(files["report.json"] as string) as ExperimentPage;
  return { headline, page, ...(lastLine !== undefined && { lastLine }) };
}

const local = { target: "local" } as const;
const kinds: Readonly<
  Record<string, (machine: MachineName) => Promise<Pick<PrintedReport, "headline" | "lastLine">>>
> = {
  variants: (machine) => printed({ ...local, memoryMb: [128, 1769] }, machine),
  "variants at every size": (machine) => printed({ ...local, memoryMb: everySize }, machine),
  "variants on AWS": (machine) => printed({ target: "aws" }, machine),
  "sizes of one function": (machine) =>
    printed({ ...local, variants: ["python"], memoryMb: everySize }, machine),
  "two builds": (machine) =>
    printed(
      { ...local, variants: ["rust", "python"], memoryMb: [128, 512], replica: false },
      machine,
      functionsExperimentId,
    ),
  "several experiments": async (machine) => {
    const { page } = await printed(local, machine);
    const samples = multicoreSamples(multicorePlan());
    const other = await renderReport(fixtureInputs(multicoreChoice, { samples }));
    const experiments = [page, other.page].map((each) => ({
      experiment: each.experiment,
      page: JSON.parse(JSON.stringify(each)) as ExperimentPage,
    }));
    return renderOverview({ runId: "20260102T0304Z-a1b2c3", experiments });
  },
  emulators: async () => (await engineReport(enginePlan(), engineSamples(enginePlan()))).rendered,
};

const output = capturedOutput();

describe("what a run prints on a terminal of 80 columns", () => {
  const cases = Object.keys(kinds).flatMap((kind) =>
    (Object.keys(machines) as MachineName[]).map((machine) => [kind, machine] as const),
  );

  it.each(cases)(
    "has of %s, of a machine that was %s, at most 18 lines, or 20 with a warning",
    async (kind, machine) => {
      const report = await kinds[kind]?.(machine);
      if (report === undefined) throw new Error(`no ${kind}`);
      const { headline, lastLine } = report;
      const rest = { manifests: [], isMultiExperiment: false };
      printReport(
        { headline, ...(lastLine !== undefined && { lastLine }), ...rest },
        folder,
        false,
      );
      const lines = output.stdout.trimEnd().split("\n");
      const isWarned =
        (machine === "busy" || machine === "changed") && !/AWS|emulators|several/.test(kind);
      const warnings = lines.filter((line) => line.startsWith("WARNING: ")).length;
      expect(warnings).toBe(isWarned ? 1 : 0);
      const shown = lines.flatMap((line) => wrapped(line));
      expect(shown.length, output.stdout).toBeLessThanOrEqual(18 + 2 * warnings);
      expect(lines.filter((line) => line.includes(folder))).toEqual([
        `Report: ${folder}/report.html (also report.md, summary.json)`,
      ]);
      // The strongest comparison of an experiment can be of names too long for a column.
      if (kind !== "several experiments") expect(output.stdout).not.toContain("…");
    },
  );

  it("has a comma in every number of four digits", async () => {
    const { headline } = await printed({ ...local, memoryMb: [128, 1769] }, "quiet");
    expect(headline).toContain("1,769 MB");
    expect(headline).not.toMatch(/(?<![\d.,])\d{4,}(?![\d.,])/);
  });
});
