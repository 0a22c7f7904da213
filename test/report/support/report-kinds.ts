import { printedText } from "../../../bin/run/write-report.ts";
import type {
  Manifest,
  NoiseInterval,
  Plan,
  Sample,
} from "../../../lib/contract/types/contract.ts";
import { dynamodb } from "../../../lib/experiments/dynamodb/definition.ts";
import { renderReport } from "../../../lib/experiments/render-report.ts";
import { functionsExperimentId, functionsTitle } from "../../../lib/plan/functions-subject.ts";
import type { ExperimentPage } from "../../../lib/report/experiment-report.ts";
import { renderOverview } from "../../../lib/report/overview.ts";
import {
  enginePlan,
  engineReport,
  engineSamples,
} from "../../../studies/emulators/test/support/engine-fixture.ts";
import { type FixtureChoice, fixtureInputs, fixturePlan, fixtureSamples } from "./fixture.ts";
import { multicoreChoice, multicorePlan, multicoreSamples } from "./multicore-fixture.ts";

const everySize = [128, 256, 512, 1024, 1769, 3008];
const speed = { schemaVersion: 2, handshakeMs: 0.2, interpreterMs: 5, allocationMs: 12 } as const;

/** The CPUs that others took of a machine in each part of a run; absent if nothing recorded it. */
const machines = {
  ...{ unknown: [], quiet: [0, 0.02], busy: [1.2, 1.6], changed: [0, 0.01] },
  /** Busy, of changing speed, and without a network or a service that a function calls. */
  worst: [1.2, 1.6],
} as const;
type MachineName = keyof typeof machines;
export const machineNames = Object.keys(machines) as readonly MachineName[];

function noiseOf(name: MachineName): Partial<Omit<Manifest, "counts">> {
  if (name === "unknown") return {};
  const intervals = machines[name].map((otherCpus, block): NoiseInterval => {
    const isChanging = name === "changed" || name === "worst";
    const factor = isChanging && block === 1 ? 1.9 : 1;
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

/** A report as a run leaves it: its page, and what it prints. */
interface KindOfReport {
  readonly html: string;
  readonly printed: string;
}

/** The folder that the reports name. */
export const kindFolder = "runs/20260102T0304Z-a1b2c3";

function kindOf(report: {
  readonly files: Readonly<Record<string, string>>;
  readonly headline: string;
  readonly lastLine?: string;
}): KindOfReport {
  return { html: report.files["report.html"] as string, printed: printedText(report, kindFolder) };
}

const local = { target: "local" } as const;

function rendered(
  choice: FixtureChoice,
  machine: MachineName,
  { experiment = "dynamodb", samples }: Rendering = {},
) {
  const isWorst = machine === "worst";
  const unavailableCalls = [{ variant: "rust", calls: ["sns.Publish", "sqs.SendMessage"] }];
  const inputs = fixtureInputs(isWorst ? { ...choice, network: false } : choice, {
    manifest: { ...noiseOf(machine), ...(isWorst && { unavailableCalls }) },
    plan: { experiment },
    ...(samples !== undefined && { samples: samples(fixturePlan(choice)) }),
  });
  return renderReport(inputs);
}

interface Rendering {
  readonly experiment?: string;
  /** @default those of the fixture */
  readonly samples?: (plan: Plan) => Iterable<Sample>;
}

/** Every second call of the later build fails. */
function* halfFailing(plan: Plan): Generator<Sample> {
  for (const sample of fixtureSamples(plan)) {
    const isLost = sample.cell.variant === "rust" && sample.sequence % 2 === 1;
    yield isLost ? { ...sample, rejected: { reason: "error" } } : sample;
  }
}

/** Two builds of a user's function: the later one answers slower, and starts later. */
const builds: FixtureChoice = {
  ...{ ...local, memoryMb: [128, 512], operations: ["get"], replica: false },
  experiment: {
    ...{ ...dynamodb, ...functionsTitle(["base", "head"]), baselineVariant: "rust-tuned" },
    variants: dynamodb.variants
      .filter(({ id }) => id !== "python")
      .map((variant) => ({ ...variant, label: variant.id === "rust" ? "head" : "base" }))
      .toReversed(),
  },
};

async function experiments(machine: MachineName) {
  const samples = multicoreSamples(multicorePlan());
  const pages = [
    (await rendered(local, machine)).page,
    (await renderReport(fixtureInputs(multicoreChoice, { samples }))).page,
  ];
  const reported = pages.map((page) => ({
    experiment: page.experiment,
    page: JSON.parse(JSON.stringify(page)) as ExperimentPage,
  }));
  return renderOverview({ runId: "20260102T0304Z-a1b2c3", experiments: reported });
}

const fixtures = {
  variants: (machine: MachineName) => rendered({ ...local, memoryMb: [128, 1769] }, machine),
  sizes: (machine: MachineName) =>
    rendered({ ...local, variants: ["python"], memoryMb: everySize }, machine),
  builds: (machine: MachineName) =>
    rendered(builds, machine, { experiment: functionsExperimentId }),
  experiments,
  emulators: async (_: MachineName) =>
    (await engineReport(enginePlan(), engineSamples(enginePlan()))).rendered,
  "variants-at-every-size": (machine: MachineName) =>
    rendered({ ...local, memoryMb: everySize }, machine),
  "variants-on-aws": (_: MachineName) => rendered({ target: "aws" }, "unknown"),
  "failing-build": (machine: MachineName) =>
    rendered(builds, machine, { experiment: functionsExperimentId, samples: halfFailing }),
};

type KindName = keyof typeof fixtures;
export const kindNames = Object.keys(fixtures) as readonly KindName[];
/** The five kinds of report, without further runs of the first. */
export const fiveKinds = kindNames.slice(0, 5);

/** A report of made-up samples, as a machine in this state would have measured them. */
export async function reportOfKind(kind: KindName, machine: MachineName): Promise<KindOfReport> {
  return kindOf(await fixtures[kind](machine));
}
