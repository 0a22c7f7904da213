import { readFileSync } from "node:fs";
import { join } from "node:path";
import { vi } from "vitest";
import { compare } from "../../../bin/commands/compare.ts";
import type { Plan, Sample } from "../../../lib/contract/types/contract.ts";
import type { ExperimentPage, RenderedReport } from "../../../lib/report/experiment-report.ts";
import { renderOverview } from "../../../lib/report/overview.ts";
import {
  enginePlan,
  engineReport,
  engineSamples,
} from "../../../studies/emulators/test/support/engine-fixture.ts";
import {
  firstRequestChoice,
  firstRequestPlan,
  firstRequestSamples,
} from "../../report/support/first-request-fixture.ts";
import type { FixtureChoice } from "../../report/support/fixture.ts";
import { fixtureReport } from "../../report/support/fixture-report.ts";
import {
  multicoreChoice,
  multicorePlan,
  multicoreSamples,
} from "../../report/support/multicore-fixture.ts";
import {
  s3FanoutChoice,
  s3FanoutPlan,
  s3FanoutSamples,
} from "../../report/support/s3-fanout-fixture.ts";

import { captureOutput } from "../../support/captured-output.ts";
import type { Script } from "../../support/fake-target.ts";
import { finishedRun } from "../../support/finished-run.ts";
import { smallPlan } from "../../support/small-plan.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

/** A report as a reader opens it. */
interface ReportPage {
  readonly name: string;
  readonly html: string;
  /** Its figures, as summary.json has them. */
  readonly summary: string;
  /** True where an audit would find nothing that it has not found in another page. */
  readonly isMoreOfTheSame: boolean;
}

const everySize = [128, 256, 512, 1024, 1769, 3008];

/** The pages of made-up runs: one an experiment, the full matrix, and several experiments on one page. */
export async function reportPages(): Promise<readonly ReportPage[]> {
  const reports = {
    dynamodb: await fixtureReport({ target: "local" }),
    "full-matrix": await fixtureReport({
      target: "aws",
      preset: "standard",
      memoryMb: everySize,
      architectures: ["arm64", "x86_64"],
    }),
    noisy: await fixtureReport(noisyChoice, { each: noisy }),
    "first-request": await fixtureReport(firstRequestChoice, {
      samples: firstRequestSamples(firstRequestPlan()),
    }),
    multicore: await fixtureReport(multicoreChoice, { samples: multicoreSamples(multicorePlan()) }),
    "s3-fanout": await fixtureReport(s3FanoutChoice, { samples: s3FanoutSamples(s3FanoutPlan()) }),
    sizes: await fixtureReport({ target: "local", variants: ["python"], memoryMb: everySize }),
    emulators: (await engineReport(enginePlan(), engineSamples(enginePlan()))).rendered,
  };
  const { multicore, emulators } = reports;
  const experiments = Object.entries({ multicore, emulators }).map(([experiment, { page }]) => ({
    experiment,
    page: asStored(page),
  }));
  const overview = renderOverview({ runId: "20260101T0000Z-abcdef", experiments });
  return [
    ...Object.entries(reports).map(([name, report]) => ({
      name,
      html: htmlOf(report),
      summary: report.files["summary.json"] as string,
      isMoreOfTheSame: name === "full-matrix" || name === "noisy",
    })),
    {
      name: "overview",
      html: htmlOf(overview),
      summary: overview.files["summary.json"] as string,
      isMoreOfTheSame: false,
    },
    await twoBuildsPage(),
  ];
}

/** The page of two builds, of which the later one answers warm calls of Python slower and of Rust faster. */
async function twoBuildsPage(): Promise<ReportPage> {
  const folder = temporaryFolder();
  const runs = ["earlier", "later"].map((name) => join(folder, name)) as [string, string];
  const html = join(folder, "compared.html");
  try {
    const factors: Readonly<Record<string, number>> = { python: 1.5, rust: 0.8 };
    await finishedRun(runs[0], buildPlan("20260101T0000Z-aaaaaa"));
    await finishedRun(runs[1], buildPlan("20260102T0000Z-bbbbbb"), warmTimes(factors));
    const output = captureOutput();
    await compare(...runs, { margin: 0.05, html });
    output.stdout = "";
    await compare(...runs, { margin: 0.05, json: true });
    const summary = output.stdout;
    return {
      name: "two-builds",
      html: readFileSync(html, "utf8"),
      summary,
      isMoreOfTheSame: false,
    };
  } finally {
    vi.restoreAllMocks();
  }
}

function buildPlan(runId: string): Plan {
  return smallPlan({ runId, cold: 10, warm: 60, operations: ["get"] });
}

/** Warm calls that take so many times as long, by variant. */
function warmTimes(factors: Readonly<Record<string, number>>): Script {
  return ({ cell, invocation }, answer) => {
    if (invocation < 2 || answer.telemetry === undefined) return answer;
    const durationMs = answer.telemetry.durationMs * (factors[cell.variant] ?? 1);
    const billedDurationMs = Math.ceil(durationMs);
    return { ...answer, telemetry: { ...answer.telemetry, durationMs, billedDurationMs } };
  };
}

const noisyChoice: FixtureChoice = { target: "local", memoryMb: [128] };

/** As of a busy machine: a variant's environments lie apart by factors, and its intervals are wide. */
function noisy(sample: Sample): Sample {
  const factors = { rust: [1, 2, 9, 1, 30, 4], python: [14, 1, 1, 16, 2, 55] };
  const { telemetry, cell, block } = sample;
  const [factor = 1] = factors[cell.variant === "python" ? "python" : "rust"].slice(block % 6);
  const { durationMs } = telemetry ?? {};
  return durationMs === undefined
    ? sample
    : { ...sample, telemetry: { ...telemetry, durationMs: durationMs * factor } };
}

function htmlOf({ files }: Pick<RenderedReport, "files">): string {
  return files["report.html"] as string;
}

/** As report.json brings it. */
function asStored(page: ExperimentPage): ExperimentPage {
  return JSON.parse(JSON.stringify(page)) as ExperimentPage;
}
