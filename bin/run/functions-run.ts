import { existsSync } from "node:fs";
import { join } from "node:path";
import { familyErrorRate } from "../../lib/analysis/family.ts";
import { defaultTraffic } from "../../lib/analysis/report-subject.ts";
import { defined } from "../../lib/contract/defined.ts";
import { InvalidInput } from "../../lib/contract/errors.ts";
import type {
  FunctionsFile,
  Limit,
  Manifest,
  NetworkProfile,
  SizeChoiceBasis,
  VerdictRule,
} from "../../lib/contract/types/contract.ts";
import { lambdaPrice } from "../../lib/cost/prices.ts";
import { readFunctionsFile } from "../../lib/functions/functions-file.ts";
import { localRegion } from "../../lib/local/local-functions.ts";
import { floorCell } from "../../lib/local/machine.ts";
import type { Experiment, Preset } from "../../lib/plan/experiment.ts";
import { type StoppingChoice, stoppingChoice, usualOfSizeChoice } from "../../lib/plan/stopping.ts";
import { wholeChoice } from "../../lib/run/run-choice.ts";
import { defaultMargin } from "../../lib/statistics/verdict.ts";
import type { CostBasis } from "./cost-basis.ts";
import type { FunctionOptions } from "./measure-choice.ts";
import { type NewRun, newRunOf } from "./new-run.ts";
import type { OpenedExperiment } from "./open-functions.ts";
import { openRun } from "./stored-run.ts";
import { verifyRun } from "./verify-run.ts";

/** Options for how much of a user's functions is measured, and for the verdicts. */
export interface FunctionsRunOptions
  extends Pick<FunctionOptions, "memory">,
    Partial<Omit<StoppingChoice, "sizeChoice">> {
  readonly preset: Preset;
  readonly network?: NetworkProfile;
  readonly idle?: number;
  readonly cold?: number;
  readonly warm?: number;
  readonly seed?: number;
  readonly out?: string;
  readonly margin?: number;
  readonly alpha?: number;
  readonly limit?: readonly Limit[];
}

/** The run's own copy of what was measured, for --resume. */
export const runsFunctionsFile = "functions.json";

/** Reads the functions of an interrupted run. Throws InvalidInput if there is no such run. */
export function storedFunctions(folder: string): FunctionsFile {
  if (!existsSync(folder)) {
    const allowed = "the folder of an earlier run of kelvin measure";
    throw new InvalidInput("resume", folder, allowed, `no such folder: ${folder}`);
  }
  return readFunctionsFile(join(folder, runsFunctionsFile));
}

/** Plans a new run of functions. Problems of their artefacts become warnings of the plan. */
export function newFunctionsRun(
  { experiment, warnings, leftOut }: OpenedExperiment,
  options: FunctionsRunOptions,
  costs: CostBasis,
): NewRun {
  const { memory, limit } = options;
  const isAuto = memory === "auto";
  const stopping = stoppingChoice(
    isAuto ? { ...options, sizeChoice: sizeChoice(costs, limit) } : options,
  );
  const sized = isAuto ? { ...autoSizes, ...options } : options;
  const choices = wholeChoice(experiment, sized, stopping, [floorCell.architecture]);
  const verdicts = verdictRule(options);
  const run = newRunOf(choices, { ...options, ...defined({ verdicts, limits: limit }) });
  const experiments = run.experiments.map((each) => {
    const missing = [...(each.plan.leftOut ?? []), ...leftOut];
    const plan = {
      ...each.plan,
      warnings: [...each.plan.warnings, ...warnings],
      ...(missing.length > 0 && { leftOut: missing }),
    };
    return { ...each, plan };
  });
  return { ...run, experiments };
}

/** Environments of each size before the first size is dropped, and 11 warm calls in each. */
const autoSizes = { cold: usualOfSizeChoice, warm: 11 * usualOfSizeChoice } as const;

/** Returns the costs by which the run chooses a size. Throws InvalidInput if there is no price. */
function sizeChoice({ prices, traffic }: CostBasis, limits?: readonly Limit[]): SizeChoiceBasis {
  const price = lambdaPrice(prices, localRegion, floorCell.architecture);
  if (price.kind === "price-absent") {
    const allowed = `a table with ${price.missing.join(", ")} of ${localRegion}, for --memory auto`;
    throw new InvalidInput("prices", undefined, allowed);
  }
  const { gbSecondUsd, requestUsd } = price;
  return {
    coldShare: traffic.coldShare ?? defaultTraffic.coldShare,
    gbSecondUsd,
    requestUsd,
    ...(limits !== undefined && { limits: [...limits] }),
  };
}

/** Returns undefined if neither was given. */
function verdictRule({ margin, alpha }: FunctionsRunOptions): VerdictRule | undefined {
  if (margin === undefined && alpha === undefined) return undefined;
  return { margin: margin ?? defaultMargin, errorRate: alpha ?? familyErrorRate };
}

/** Opens an interrupted run. Throws InvalidInput if its functions have changed since. */
export async function earlierRun(folder: string, experiment: Experiment): Promise<NewRun> {
  const run = await openRun("resume", folder);
  await verifyRun(run, folder);
  const [first] = run.experiments;
  for (const { variant, sha256, build } of first?.manifest?.artefacts ?? []) {
    const source = experiment.variants.find(({ id }) => id === variant)?.source;
    const found = source?.kind === "artefact" ? source : undefined;
    requireSame(`${variant}: artefact`, found?.sha256, sha256);
    requireSame(`${variant}: layers`, found?.layers?.sha256, build?.layers);
  }
  return { ...run, leftOut: [] };
}

function requireSame(field: string, found: string | undefined, measured: string | undefined): void {
  if (found === measured) return;
  throw new InvalidInput(field, found, `what the run measured: SHA-256 ${measured ?? "of none"}`);
}

/** Describes calls that failed or gave another answer, and sizes that lost trials. */
export function describeFailures({ counts, cellFailures }: FailedCalls): readonly string[] {
  const messages = cellFailures.map(({ cellId, message }) => `${cellId}: ${message}`);
  const each = [...new Set(messages)].map((message) => {
    const times = messages.filter((other) => other === message).length;
    return times === 1 ? message : `${message} (${times} times)`;
  });
  const wrong = counts.rejected["result-wrong"] ?? 0;
  const answers = `${wrong} calls did not return the expected answer: they are not counted`;
  return [...each, ...(wrong > 0 ? [answers] : [])];
}

type FailedCalls = Pick<Manifest, "cellFailures"> & {
  readonly counts: Pick<Manifest["counts"], "rejected">;
};
