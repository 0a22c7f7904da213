import { groupBy } from "../contract/group-by.ts";
import type { Family } from "./function-kind.ts";
import { leastSquares } from "./least-squares.ts";
import type { LocalCall } from "./local-times.ts";
import { type Constants, predictTimes } from "./model.ts";
import type { PublishedTimes } from "./published-times.ts";

/** A published call, and the same call measured here. */
export interface Observation {
  readonly published: PublishedTimes;
  readonly local: LocalCall;
  /** The machine that measured the call here. @default one machine measured all */
  readonly machine?: string;
}

/** Returns the mean of each source's mean, so that all sources have equal weight. Undefined without items. */
export function meanOverSources<Item>(
  items: readonly Item[],
  sourceOf: (item: Item) => string,
  value: (item: Item) => number,
): number | undefined {
  const bySource = groupBy(items, sourceOf);
  if (bySource.size === 0) return undefined;
  const means = [...bySource.values()].map(
    (own) => own.reduce((sum, each) => sum + value(each), 0) / own.length,
  );
  return means.reduce((sum, mean) => sum + mean, 0) / means.length;
}

const sourceOf = ({ published: { source } }: Observation) => source;

/** Returns the constants that minimise the squared logarithms of the ratios of predicted to published times. */
export function fitConstants(observations: readonly Observation[]): Constants {
  const used = observations.filter(({ published }) => published.isApart !== true);
  const withFirst = { ...unfitted, ...fitFirst(used.filter(isFirstOfService)) };
  const withInit = { ...withFirst, ...fitInit(used, withFirst) };
  return { ...withInit, ...fitFactors(used) };
}

const unfitted: Constants = {
  sandboxMs: 0,
  nodeSandboxMs: 0,
  pythonStartFactor: 1,
  readMsPerMb: 0,
  firstWaitMs: 0,
  firstCodeFactor: 1,
  jitterMs: 0,
  warmFactor: {},
  computeFactor: 1,
};

type LogErrors = (constants: Constants) => readonly number[];

/** Returns the log error of each prediction, weighted so that all sources count equally. */
function logErrors(
  observations: readonly Observation[],
  quantity: "initMs" | "durationMs",
): LogErrors {
  const counts = [...groupBy(observations, sourceOf)];
  const weights = new Map(
    counts.map(([source, own]) => [source, Math.sqrt(1 / (own.length * counts.length))]),
  );
  const rows = observations.map(({ published, local }) => ({
    local,
    weight: weights.get(published.source) ?? 0,
    logMs: Math.log(published[quantity] ?? Number.NaN),
  }));
  return (constants) =>
    rows.map(({ local, weight, logMs }) => {
      const predicted = predictTimes(local, constants)[quantity] ?? Number.NaN;
      return weight * (Math.log(predicted) - logMs);
    });
}

function isFirstOfService({ published, local }: Observation): boolean {
  return (
    published.durationMs !== undefined &&
    local.call === "first" &&
    local.kind.work === "service" &&
    local.warmupMs === undefined
  );
}

/**
 * Sources that measured a single size cannot distinguish a wait from CPU time. The prior puts the wait near one
 * period of the CPU quota; a source with several sizes outweighs it.
 */
const priorWaitMs = 20;
const priorWeight = 0.1;

type FirstConstants = Pick<Constants, "firstWaitMs" | "firstCodeFactor" | "jitterMs">;

function fitFirst(observations: readonly Observation[]): FirstConstants {
  if (observations.length === 0) return unfitted;
  const gathers = ({ local }: Observation) => local.kind.gathersJitter;
  const jitter = logErrors(observations.filter(gathers), "durationMs");
  const code = logErrors(
    observations.filter((each) => !gathers(each)),
    "durationMs",
  );
  const constantsOf = ([
    firstWaitMs = 0,
    jitterMs = 0,
    firstCodeFactor = 1,
  ]: readonly number[]) => ({
    firstWaitMs,
    jitterMs,
    firstCodeFactor,
  });
  const fitted = leastSquares([priorWaitMs, 50, 2], (values) => {
    const constants = { ...unfitted, ...constantsOf(values) };
    const { firstWaitMs } = constants;
    const prior = priorWeight * Math.log(firstWaitMs / priorWaitMs);
    return [...jitter(constants), ...code(constants), prior];
  });
  return constantsOf(fitted);
}

type InitConstants = Pick<
  Constants,
  "sandboxMs" | "nodeSandboxMs" | "pythonStartFactor" | "readMsPerMb"
>;

/** Fits Init. A native function's own start takes a few ms; the time to read its binary grows with the binary's size. */
function fitInit(observations: readonly Observation[], first: Constants): InitConstants {
  const observationsOf = (family: Family) =>
    observations.filter(
      ({ published, local }) =>
        published.initMs !== undefined &&
        local.initMs !== undefined &&
        local.kind.family === family,
    );
  const [native, node, python] = (["native", "node", "python"] as const).map((family) =>
    logErrors(observationsOf(family), "initMs"),
  ) as [LogErrors, LogErrors, LogErrors];
  const [sandboxMs = 0, readMsPerMb = 0] = leastSquares([8, 4], ([sandbox = 0, read = 0]) =>
    native({ ...first, sandboxMs: sandbox, readMsPerMb: read }),
  );
  const [nodeSandboxMs = 0] = leastSquares([80], ([sandbox = 0]) =>
    node({ ...first, nodeSandboxMs: sandbox }),
  );
  const [pythonStartFactor = 1] = leastSquares([2], ([factor = 1]) =>
    python({ ...first, pythonStartFactor: factor }),
  );
  return { readMsPerMb, sandboxMs, nodeSandboxMs, pythonStartFactor };
}

/**
 * Fits factors on whole Durations: geometric means of the ratios of Lambda's times to those here. A family's
 * deviation from the mean of all families with the same work is shrunk to n/(n + 1) of itself for n sources.
 */
function fitFactors(
  observations: readonly Observation[],
): Pick<Constants, "warmFactor" | "computeFactor"> {
  const timed = observations.filter(({ published }) => published.durationMs !== undefined);
  const factor = (of: readonly Observation[]) => {
    const log = meanOverSources(of, sourceOf, ({ published, local }) =>
      Math.log((published.durationMs ?? Number.NaN) / local.durationMs),
    );
    return log === undefined ? undefined : Math.exp(log);
  };
  const isCompute = ({ local }: Observation) => local.kind.work === "compute";
  const warm = timed.filter((each) => each.local.call === "warm" && !isCompute(each));
  const byWork = [...groupBy(warm, ({ local }) => local.kind.work)].flatMap(([work, all]) => {
    const families = [...groupBy(all, ({ local }) => local.kind.family)].map(([family, own]) => ({
      name: `${work}/${family}`,
      log: Math.log(factor(own) ?? 1),
      sources: new Set(own.map(sourceOf)).size,
    }));
    const shared = families.reduce((sum, { log }) => sum + log, 0) / families.length;
    return families.map(({ name, log, sources }) => {
      const believed = (sources / (sources + 1)) * (log - shared);
      return [name, Math.exp(shared + believed)] as const;
    });
  });
  return {
    warmFactor: Object.fromEntries(byWork),
    computeFactor: factor(timed.filter(isCompute)) ?? 1,
  };
}
