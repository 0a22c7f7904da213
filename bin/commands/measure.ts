import { existsSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { familyErrorRate } from "../../lib/analysis/family.ts";
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
import { readFunctionsFile, writeFunctionsFile } from "../../lib/functions/functions-file.ts";
import { localRegion } from "../../lib/local/local-functions.ts";
import { floorCell } from "../../lib/local/machine.ts";
import { newScratchFolder } from "../../lib/local/scratch-folder.ts";
import type { Experiment, Preset } from "../../lib/plan/experiment.ts";
import { type StoppingChoice, stoppingChoice, usualOfSizeChoice } from "../../lib/plan/stopping.ts";
import { wholeChoice } from "../../lib/run/run-choice.ts";
import { defaultMargin } from "../../lib/statistics/verdict.ts";
import { closeInheritedDescriptors } from "../../lib/toolchain/command-environment.ts";
import type { FailOn } from "../exit-codes.ts";
import { Progress } from "../progress.ts";
import type { AppliedSize } from "../run/apply-memory.ts";
import { type CostBasis, type CostOptions, costBasis } from "../run/cost-basis.ts";
import { type FunctionWords, functionsFile } from "../run/measure-choice.ts";
import { measureGate } from "../run/measure-gate.ts";
import { measureRun } from "../run/measure-run.ts";
import { isFunctionArn } from "../run/measured-copies.ts";
import { type NewRun, newRunOf } from "../run/new-run.ts";
import {
  type InterpreterWords,
  type OpenedExperiment,
  openExperiment,
} from "../run/open-functions.ts";
import { whileLocked } from "../run/run-folder.ts";
import { openRun, verifyRun } from "../run/stored-run.ts";
import { untilEnded } from "../run/until-ended.ts";

/** The options of `kelvin measure`. */
interface MeasureWords
  extends FunctionWords,
    ArnWords,
    InterpreterWords,
    CostOptions,
    Partial<Omit<StoppingChoice, "sizeChoice">> {
  readonly preset: Preset;
  readonly network?: NetworkProfile;
  readonly idle?: number;
  readonly save?: string;
  readonly cold?: number;
  readonly warm?: number;
  readonly seed?: number;
  readonly out?: string;
  readonly resume?: string;
  readonly json?: true;
  readonly markdown?: string;
  readonly waitForQuiet?: true;
  readonly verbose?: true;
  readonly margin?: number;
  readonly alpha?: number;
  readonly failOn?: FailOn;
  readonly limit?: readonly Limit[];
}

/** The run's own copy of what was measured, for --resume. */
const runsFunctionsFile = "functions.json";

/** Options that only apply to deployed functions. */
interface ArnWords {
  readonly yes?: true;
  readonly maxCost?: number;
  readonly keep?: true;
  readonly apply?: AppliedSize;
  readonly copySecrets?: true;
}

/** Measures copies of deployed functions on AWS; a gate works as for functions on this machine. */
async function measureArns(
  arns: readonly string[],
  words: MeasureWords,
  progress: Progress,
): Promise<number> {
  const { failOn, ...rest } = words;
  const judge =
    failOn === undefined
      ? undefined
      : (run: Pick<NewRun, "store">, code: number) =>
          measureGate(run, code, { failOn, words: process.argv.slice(2), progress });
  const { measureDeployed } = await import("../run/measure-deployed.ts");
  return await measureDeployed(arns, rest, judge);
}

/** Throws InvalidInput for an option that only applies to a function's ARN. */
function requireNoArnOptions(words: ArnWords): void {
  for (const name of ["yes", "maxCost", "keep", "apply", "copySecrets"] as const) {
    if (words[name] === undefined) continue;
    const option = name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    const allowed = "no value without the ARN of a deployed function";
    const said = `--${option} goes with the ARN of a deployed function: kelvin measure ARN --${option}`;
    throw new InvalidInput(option, words[name], allowed, said);
  }
}

/** `kelvin measure`: measures the user's own functions on this machine; returns the exit code. */
export async function measure(artefacts: readonly string[], words: MeasureWords): Promise<number> {
  const progress = new Progress();
  if (artefacts.some(isFunctionArn)) return await measureArns(artefacts, words, progress);
  requireNoArnOptions(words);
  const { resume, save } = words;
  checkAuto(words);
  const file = resume === undefined ? functionsFile(artefacts, words) : storedFunctions(resume);
  const costs = costBasis(words);
  closeInheritedDescriptors();
  const folder = newScratchFolder("functions");
  try {
    const opened = await openExperiment(file, folder, words, progress);
    const { experiment } = opened;
    if (save !== undefined) {
      await writeFunctionsFile(save, file);
      progress.say(`saved to ${save}`);
      const { describeClearSecrets } = await import("../run/clear-secrets.ts");
      for (const line of describeClearSecrets(file)) progress.say(line);
    }
    const run =
      resume === undefined
        ? newFunctionsRun(opened, words, costs)
        : await earlierRun(resume, experiment);
    const locked =
      resume === undefined
        ? ({ option: "out", directory: run.store.directory } as const)
        : ({ option: "resume", directory: resolve(resume) } as const);
    const plans = run.experiments.map(({ plan }) => plan);
    return await whileLocked(locked, plans, async () => {
      const { directory } = run.store;
      const asJson = words.json === true;
      const { markdown } = words;
      const ending = {
        ...{ directory, asJson, resumeWith: "kelvin measure --resume" },
        isVerbose: words.verbose === true,
        ...defined({ markdown }),
      };
      const code = await untilEnded(ending, async (told, signal) => {
        const { waitForQuiet = false } = words;
        const choices = { plainHttp: false, withFloor: false, waitForQuiet };
        const options = { costs, ...choices, progress: told, signal };
        const ended = await measureRun(run, {
          ...options,
          experimentOf: () => experiment,
          command: "measure",
          onReady: () => writeFunctionsFile(join(directory, runsFunctionsFile), file),
        });
        for (const line of ended.manifests.flatMap(describeFailures)) told.say(line);
        return ended;
      });
      const { failOn } = words;
      const asked = { ...defined({ failOn }), words: process.argv.slice(2) };
      return await measureGate(run, code, { ...asked, progress });
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function storedFunctions(folder: string): FunctionsFile {
  if (!existsSync(folder)) {
    const allowed = "the folder of an earlier run of kelvin measure";
    throw new InvalidInput("resume", folder, allowed, `no such folder: ${folder}`);
  }
  return readFunctionsFile(join(folder, runsFunctionsFile));
}

function newFunctionsRun(
  { experiment, warnings, leftOut }: OpenedExperiment,
  words: MeasureWords,
  costs: CostBasis,
): NewRun {
  const { memory, limit } = words;
  const isAuto = memory === "auto";
  const stopping = stoppingChoice(
    isAuto ? { ...words, sizeChoice: sizeChoice(costs, limit) } : words,
  );
  const sized = isAuto ? { ...autoSizes, ...words } : words;
  const choices = wholeChoice(experiment, sized, stopping, [floorCell.architecture]);
  const verdicts = verdictRule(words);
  const run = newRunOf(choices, { ...words, ...defined({ verdicts, limits: limit }) });
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

/** Throws InvalidInput for what --memory auto excludes. */
function checkAuto({ memory, preset, failOn }: MeasureWords): void {
  if (memory !== "auto") return;
  if (preset !== "quick") {
    const allowed = "quick with --memory auto, which adds environments while a size is undecided";
    throw new InvalidInput("preset", preset, allowed);
  }
  if (failOn === undefined) return;
  const allowed = "no value with --memory auto: a gate compares functions at sizes that are given";
  throw new InvalidInput("fail-on", failOn, allowed);
}

/** The basis for costs while the run chooses a size. Throws InvalidInput if there is no price. */
function sizeChoice({ prices, traffic }: CostBasis, limits?: readonly Limit[]): SizeChoiceBasis {
  const price = lambdaPrice(prices, localRegion, floorCell.architecture);
  if (price.kind === "price-absent") {
    const allowed = `a table with ${price.missing.join(", ")} of ${localRegion}, for --memory auto`;
    throw new InvalidInput("prices", undefined, allowed);
  }
  const { gbSecondUsd, requestUsd } = price;
  return {
    ...{ coldShare: traffic.coldShare, gbSecondUsd, requestUsd },
    ...(limits !== undefined && { limits: [...limits] }),
  };
}

/** Describes what did not count: calls that failed or gave another answer, and sizes that lost trials. */
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

/** Undefined if neither was given. */
function verdictRule({ margin, alpha }: MeasureWords): VerdictRule | undefined {
  if (margin === undefined && alpha === undefined) return undefined;
  return { margin: margin ?? defaultMargin, errorRate: alpha ?? familyErrorRate };
}

/** An interrupted run, if its functions are still those that it measured. */
async function earlierRun(folder: string, experiment: Experiment): Promise<NewRun> {
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
