import { availableParallelism } from "node:os";
import { describeError } from "../../lib/contract/errors.ts";
import type { Plan } from "../../lib/contract/types/contract.ts";
import { estimateRun } from "../../lib/cost/estimate.ts";
import { publishedPrices } from "../../lib/cost/prices.ts";
import { experimentById } from "../../lib/experiments/catalogue.ts";
import { findCgroupRoot, sweepLeftoverGroups } from "../../lib/local/cgroup.ts";
import { localRegion } from "../../lib/local/local-functions.ts";
import { describeCpuShare } from "../../lib/local/machine.ts";
import { listOwnServices } from "../../lib/local/own-services.ts";
import { sweepScratchFolders } from "../../lib/local/scratch-folder.ts";
import type { Experiment, Variant } from "../../lib/plan/experiment.ts";
import { mostSamples } from "../../lib/plan/stopping.ts";
import { findService } from "../../lib/plan/trial-calls.ts";
import { plural } from "../../lib/report/document/format.ts";
import type { RenderedReport } from "../../lib/report/experiment-report.ts";
import { checksumsPath } from "../../lib/sampler/checksums.ts";
import {
  type BuildForecast,
  buildForLocalRun,
  forecastBuild,
  isNoopBuilt,
  localBuilds,
  type ServiceName,
} from "../../lib/toolchain/build-local.ts";
import { prepareServices } from "../../lib/toolchain/service-programs.ts";
import { isWhole } from "../exit-codes.ts";
import { buildProgress, forecastText, formatDuration, type Progress } from "../progress.ts";
import type { CostBasis } from "./cost-basis.ts";
import { type BuiltTools, requireValgrind } from "./local-manifest.ts";
import { listVariants, measureLocally, writePlan } from "./measure-locally.ts";
import type { NewRun } from "./new-run.ts";
import { isMultiExperiment, type StoredExperiment } from "./stored-run.ts";
import type { EndedRun } from "./until-ended.ts";
import { rewriteReport, writeChecksumsOfAll, writeOverview } from "./write-report.ts";

export interface MeasureOptions {
  readonly costs: CostBasis;
  readonly plainHttp: boolean;
  /** Whether each experiment waits for a quiet machine. @default false */
  readonly waitForQuiet?: boolean;
  readonly progress: Progress;
  /** Aborts when the run is to stop. */
  readonly signal: AbortSignal;
  /** Whether to measure the overhead of the host itself, with a function in Rust. */
  readonly withFloor: boolean;
  /** The experiment that a plan was made from. @default the experiment with that id */
  readonly experimentOf?: (plan: Plan) => Experiment;
  /** The command that started the run. @default "local" */
  readonly command?: "measure";
  /** Line to print before anything is built, after the one on the CPU share. @default none */
  readonly opening?: string;
  /** Called once everything is built, before anything is measured. @default nothing is done */
  readonly onReady?: () => Promise<void>;
}

interface Outcome {
  readonly experiment: string;
  /** Absent if the experiment failed before it had one. */
  readonly report?: RenderedReport;
  readonly failure?: string;
}

/**
 * Builds everything, measures what each experiment still lacks, one after another, and writes the
 * report of each and of all. If one of several fails, it is recorded and the others continue; throws if
 * nothing at all was reported.
 */
export async function measureRun(run: NewRun, options: MeasureOptions): Promise<EndedRun> {
  const { progress, signal, opening } = options;
  if (options.command === undefined) sayCpuShare(progress);
  if (opening !== undefined) progress.say(opening);
  await sweep(progress);
  announce(run, options);
  const built = await build(run, options);
  await options.onReady?.();
  await writePlans(run);
  const outcomes: Outcome[] = [];
  const remaining = remainingTime(run.experiments.map(({ plan }) => plan));
  for (const [index, each] of run.experiments.entries()) {
    const { experiment } = each.plan;
    if (signal.aborted) {
      outcomes.push({ experiment, failure: "It had not begun when the run was stopped." });
      continue;
    }
    const place = `experiment ${index + 1} of ${run.experiments.length}: ${experiment}`;
    if (isMultiExperiment(run)) progress.say(`${place}${remaining(index)}`);
    outcomes.push(await attempt(each, built, options, isMultiExperiment(run)));
  }
  return await reported(run, outcomes);
}

/** Removes leftovers of a killed run, which would slow down what is measured now. */
async function sweep(progress: Progress): Promise<void> {
  const root = findCgroupRoot();
  const swept = root === undefined ? [] : await sweepLeftoverGroups(root);
  if (swept.length > 0)
    progress.say(`removed cgroups left behind by killed runs: ${swept.join(", ")}`);
  const folders = sweepScratchFolders();
  if (folders.length > 0)
    progress.say(`removed temporary folders left behind by killed runs: ${folders.join(", ")}`);
}

/** Prints a run's first line: every user must see that sizes are not limited here. How they are limited is a detail. */
export function sayCpuShare(progress: Progress): void {
  const root = findCgroupRoot();
  if (root === undefined || progress.isVerbose) progress.say(describeCpuShare(root));
}

function announce({ experiments, leftOut }: NewRun, options: MeasureOptions): void {
  const { progress, command = "local" } = options;
  const cores = availableParallelism();
  const first = forecastText(missingBuilds({ experiments }, options), cores);
  if (first !== undefined) progress.say(first);
  if (experiments.some(({ plan }) => plan.instrumented !== undefined)) requireValgrind();
  const ids = experiments.map(({ plan }) => plan.experiment).join(", ");
  progress.say(`kelvin ${command}: ${ids}, ${experiments[0]?.plan.preset}`);
  progress.say(describeWork(experiments.map(({ plan }) => plan)));
  for (const line of leftOut) progress.say(line);
}

/** Describes the amount of work and its rough duration. With a stopping rule only the maximum is known. */
function describeWork(plans: readonly Plan[]): string {
  const samples = plans.reduce((sum, plan) => sum + mostSamples(plan), 0);
  if (plans.some(({ stopping }) => stopping !== undefined))
    return `at most ${plural(samples, "sample")}`;
  const minutes = plans.reduce((sum, plan) => sum + estimatedMinutes(plan), 0);
  return `${plural(samples, "sample")}, about ${formatDuration(minutes * 60_000)} of measuring`;
}

/** Returns the Rust binaries that the run still has to build, and the approximate build time on this machine. */
export function missingBuilds(
  { experiments }: Pick<NewRun, "experiments">,
  options: Pick<MeasureOptions, "withFloor" | "experimentOf">,
): BuildForecast {
  const { withFloor } = options;
  const services = listServices(experiments, options);
  const builds = localBuilds(variantsOfAll(experiments, options), { services, withFloor });
  return forecastBuild(builds, { cores: availableParallelism() });
}

/** Returns whether any part of the run but the no-op function, which measures the host's overhead, needs Rust. */
export function needsRust({ experiments }: Pick<NewRun, "experiments">): boolean {
  const services = listServices(experiments, {});
  return localBuilds(variantsOfAll(experiments, {}), { services, withFloor: false }).length > 0;
}

/** Builds first, so that a failed build is known before anything is measured. */
async function build({ experiments }: NewRun, options: MeasureOptions): Promise<BuiltTools> {
  const { progress, signal, withFloor, command } = options;
  const services = listServices(experiments, options);
  const fetchedVersions = await prepareServices(services, (line) => progress.say(line));
  const built = await buildForLocalRun(variantsOfAll(experiments, options), {
    signal,
    onStep: buildProgress(progress),
    services,
    withFloor,
  });
  // A run of users' functions alone builds nothing in Rust; the no-op is measured if an earlier run left it.
  return {
    ...built,
    fetchedVersions,
    hasFloor: withFloor || (command === "measure" && isNoopBuilt()),
  };
}

function variantsOfAll(
  experiments: NewRun["experiments"],
  options: Pick<MeasureOptions, "experimentOf">,
): readonly Variant[] {
  return experiments.flatMap(({ plan }) => listVariants(plan, findExperiment(plan, options)));
}

function findExperiment(
  plan: Plan,
  { experimentOf }: Pick<MeasureOptions, "experimentOf">,
): Experiment {
  return experimentOf?.(plan) ?? experimentById(plan.experiment);
}

function listServices(
  experiments: NewRun["experiments"],
  options: Pick<MeasureOptions, "experimentOf">,
): readonly ServiceName[] {
  const own = experiments.flatMap(({ plan }) =>
    listOwnServices(findExperiment(plan, options).ownServices),
  );
  return [...new Set([...experiments.flatMap(({ plan }) => findServiceName(plan) ?? []), ...own])];
}

function findServiceName(plan: Plan): ServiceName | undefined {
  const service = findService(plan);
  return service === undefined ? undefined : serviceNames[service];
}

const serviceNames = { DynamoDB: "dynamodb", S3: "s3" } as const;

/** Writes the plans of several experiments, so that the run can be resumed even if some had not started. */
async function writePlans(run: NewRun): Promise<void> {
  if (!isMultiExperiment(run)) return;
  // The checksums are not valid for what is measured from now on.
  await run.store.remove(checksumsPath);
  for (const { store, plan } of run.experiments) await writePlan(store, plan);
}

async function attempt(
  each: StoredExperiment,
  built: BuiltTools,
  options: MeasureOptions,
  isOneOfSeveral: boolean,
): Promise<Outcome> {
  const { experiment } = each.plan;
  try {
    const report = await makeReport(each, built, options);
    return { experiment, report };
  } catch (error) {
    if (!isOneOfSeveral) throw error;
    const { message } = describeError(error);
    options.progress.say(`${experiment}: ${message}`);
    return { experiment, failure: message };
  }
}

/** Measures and reports an experiment. If an earlier execution completed it, only its report is rendered again. */
async function makeReport(
  { store, plan, manifest }: StoredExperiment,
  built: BuiltTools,
  options: MeasureOptions,
): Promise<RenderedReport> {
  if (manifest?.status !== "complete") {
    const experiment = findExperiment(plan, options);
    return await measureLocally({ plan, experiment, store, built, ...options });
  }
  options.progress.say(`${plan.experiment}: already measured`);
  return await rewriteReport({ store, plan, manifest, costs: options.costs });
}

async function reported(run: NewRun, outcomes: readonly Outcome[]): Promise<EndedRun> {
  const reports = outcomes.flatMap(({ report }) => report ?? []);
  const [first] = reports;
  if (first === undefined) throw new Error(outcomes.map(({ failure }) => failure).join("; "));
  const manifests = reports.map(({ manifest }) => manifest);
  const isComplete = reports.length === outcomes.length && manifests.every(isWhole);
  if (!isMultiExperiment(run)) {
    return { ...first, manifests, isMultiExperiment: false, isComplete };
  }
  const pages = outcomes.map(({ report, ...rest }) => ({
    ...rest,
    ...(report !== undefined && { page: report.page }),
  }));
  const { headline } = await writeOverview(run, pages);
  await writeChecksumsOfAll(run.store, run.experiments);
  return { headline, manifests, isMultiExperiment: true, isComplete };
}

/**
 * Returns a function for the time left when the experiment at an index starts: the estimate of the remaining ones,
 * scaled by how far the finished ones were off their estimate.
 */
function remainingTime(plans: readonly Plan[]): (index: number) => string {
  // The end of a run with a stopping rule is not known in advance.
  if (plans.some(({ stopping }) => stopping !== undefined)) return () => "";
  const startedMs = performance.now();
  const estimatedMs = (some: readonly Plan[]) =>
    some.reduce((sum, plan) => sum + estimatedMinutes(plan) * 60_000, 0);
  return (index) => {
    const done = estimatedMs(plans.slice(0, index));
    if (done === 0) return "";
    const factor = (performance.now() - startedMs) / done;
    return `, about ${formatDuration(estimatedMs(plans.slice(index)) * factor)} left in all`;
  };
}

function estimatedMinutes(plan: Plan): number {
  const estimated = estimateRun(plan, { region: localRegion, prices: publishedPrices });
  return estimated.kind === "estimated" ? estimated.estimate.minutes : 0;
}
