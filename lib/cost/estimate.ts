import { defined } from "../contract/defined.ts";
import type { Estimate, Plan, RegionPrices } from "../contract/types/contract.ts";
import { untimed } from "../plan/blocks.ts";
import { driverArchitecture } from "../plan/driver-size.ts";
import { countInlineBlocks } from "../plan/inline-blocks.ts";
import { findService } from "../plan/trial-calls.ts";
import { choosePriors, type DurationPriors, untilTimeout } from "./duration-priors.ts";
import { dataCostUsd, invocationCostUsd } from "./invocation-cost.ts";
import {
  controlCalls,
  controlUsd,
  logUsd,
  lookCount,
  ownRequests,
  ownRequestsUsd,
} from "./own-costs.ts";
import {
  type LambdaPrice,
  lambdaPrice,
  type NotPriced,
  type PriceAbsent,
  type PriceTable,
} from "./prices.ts";
import {
  adjustModel,
  countTime,
  sumOfTerms,
  trialMs,
  updateDelaysMs,
  withinMinutes,
} from "./run-minutes.ts";
import {
  allCalls,
  awsRunModel,
  callCount,
  callsByOperation,
  countCalls,
  type Forecast,
  forecastTrials,
  forecastTries,
  localRunModel,
  oncePerForecast,
  type RunModel,
  type TrialForecast,
  trialCostUsd,
} from "./run-model.ts";

interface EstimateOptions {
  readonly region: string;
  readonly prices: PriceTable;
  /** @default the plan's, or those of its target */
  readonly priors?: DurationPriors;
  /** @default awsRunModel, or localRunModel for a plan whose target is not AWS */
  readonly model?: RunModel;
  /** Inline blocks of each plan in its run. @default those of a run of these plans */
  readonly inlineBlocks?: readonly number[];
}

export interface EstimatedRun {
  readonly kind: "estimated";
  readonly estimate: Estimate;
  readonly parts: CostParts;
  /** Parts that costUsd does not include; reported next to it. */
  readonly notPriced: readonly NotPriced[];
}

/** The parts that add up to costUsd. */
interface CostParts {
  readonly functionsUsd: number;
  /** Cost of the drivers that measure the trials. */
  readonly driverUsd: number;
  /** Cost of the functions behind the other states. */
  readonly controlUsd: number;
  readonly transitionsUsd: number;
  /** Requests to DynamoDB or S3; absent if their price, or an operation's requests, are not known. */
  readonly dataUsd?: number;
  /** The run's own requests to S3, and those of its seed; absent if their price is not known. */
  readonly resultsUsd?: number;
  /** Log ingestion; absent if its price is not known. */
  readonly logsUsd?: number;
}

type Architecture = Plan["cells"][number]["architecture"];

interface Rates {
  readonly kind: "rates";
  readonly lambda: ReadonlyMap<string, LambdaPrice>;
  readonly transitionUsd: number;
}

/**
 * Estimates a run of one plan, or of several one after another: the measured functions' GB-seconds and requests, the
 * drivers' Lambda time, state transitions and, if their price is known, the logs and the requests to DynamoDB and S3,
 * including those for the results. The estimate is an upper bound of these, without storage; with a stopping rule it
 * covers all blocks, or those expected to fit into its minutes. A run whose target is not AWS costs nothing. Returns
 * `price-absent` with the names of all missing prices of functions, drivers and transitions. Throws RangeError on a
 * plan with a trial of a cell that it does not have.
 */
export function estimateRun(
  run: Plan | readonly Plan[],
  options: EstimateOptions,
): EstimatedRun | PriceAbsent {
  const plans = "cells" in run ? [run] : run;
  const { region, prices } = options;
  const isOnAws = plans.some(({ target }) => target === "aws");
  const model = options.model ?? (isOnAws ? awsRunModel : localRunModel);
  const inlineBlocks = options.inlineBlocks ?? countInlineBlocks(plans);
  const forecasts = plans.map((plan, at): Forecast => {
    const priors = options.priors ?? choosePriors(plan);
    const [tries, blocks] = [forecastTries(plan, priors), forecastTrials(plan, priors)];
    return withinMinutes({ plan, tries, blocks, inlineBlocks: inlineBlocks[at] ?? 0 }, model);
  });
  const trials = forecasts.flatMap(({ blocks }) => blocks.flat());
  const transitions = countTransitions(forecasts, trials.length, model);
  const parts = costParts({ forecasts, trials, transitions }, { region, prices, model });
  if ("kind" in parts) return parts;
  const absent = (["data", "results", "logs"] as const).filter(
    (part) => parts[`${part}Usd`] === undefined,
  );
  const time = countTime(forecasts, model);
  const estimate: Estimate = {
    invocations: sumBy(trials, oncePerForecast(callCount)),
    calls: countAll([...trials, ...forecasts.flatMap(({ tries }) => tries)]),
    minutes: sumOfTerms(time) / 60_000,
    time,
    transitions,
    costUsd: Object.values(parts).reduce((sum: number, part: number) => sum + part, 0),
    ...(isOnAws && costAtTimeout(plans, options)),
    ...(isOnAws && configurationItems(forecasts, trials.length, prices)),
    pricesDate: prices.date,
    pricesRegion: region,
  };
  return { kind: "estimated", estimate, parts, notPriced: absent };
}

/** Returns the cost of all blocks, which a rule's minutes may end before: quicker calls leave time for more of them. */
function costAtTimeout(
  plans: readonly Plan[],
  options: EstimateOptions,
): Pick<Estimate, "costAtTimeoutUsd"> {
  if (options.priors === untilTimeout) return {};
  const bound = estimateRun(plans.map(untimed), { ...options, priors: untilTimeout });
  return bound.kind === "estimated" ? { costAtTimeoutUsd: bound.estimate.costUsd } : {};
}

/**
 * Counts the updates of functions, which AWS Config records as configuration items if it records continuously: each
 * forced cold start and each restore. A rule triggered by changes of functions evaluates each of them. They are in no
 * sum: whether Config records, and which rules it has, depends on the account.
 * https://docs.aws.amazon.com/config/latest/developerguide/evaluate-config-rules.html
 * https://docs.aws.amazon.com/config/latest/developerguide/select-resources.html
 */
function configurationItems(
  forecasts: readonly Forecast[],
  trials: number,
  { configurationItemUsd, ruleEvaluationUsd }: PriceTable,
): Pick<Estimate, "configurationItems" | "configurationItemsUsd" | "ruleEvaluationsUsd"> {
  const restored = sumBy(forecasts, ({ plan }) => plan.cells.length);
  const count = trials + restored;
  return {
    configurationItems: count,
    ...(configurationItemUsd !== undefined && {
      configurationItemsUsd: count * configurationItemUsd,
    }),
    ...(ruleEvaluationUsd !== undefined && { ruleEvaluationsUsd: count * ruleEvaluationUsd }),
  };
}

interface ForecastRun {
  readonly forecasts: readonly Forecast[];
  /** The trials of all forecasts. */
  readonly trials: readonly TrialForecast[];
  readonly transitions: number;
}

function costParts(
  { forecasts, trials, transitions }: ForecastRun,
  { region, prices, model }: Required<Omit<EstimateOptions, "priors" | "inlineBlocks">>,
): CostParts | PriceAbsent {
  if (forecasts.every(({ plan }) => plan.target !== "aws")) {
    const none = { functionsUsd: 0, driverUsd: 0, controlUsd: 0, transitionsUsd: 0 };
    return { ...none, dataUsd: 0, resultsUsd: 0, logsUsd: 0 };
  }
  const cells = forecasts.flatMap(({ plan }) => plan.cells);
  const driven = driverArchitecture(cells);
  const rates = findRates([driven, ...cells.map((cell) => cell.architecture)], region, prices);
  if (rates.kind === "price-absent") return rates;
  const priceOf = (architecture: Architecture) => rates.lambda.get(architecture) as LambdaPrice;
  const regional = prices.regions[region];
  const dataUsd = dataEstimate(forecasts, regional);
  const resultsUsd = ownRequestsUsd(ownRequests(forecasts, model), regional);
  const control = controlCalls(forecasts, model);
  const calling = [...trials, ...forecasts.flatMap(({ tries }) => tries)];
  const logsUsd = logUsd(loggedBy(calling, control), regional);
  return {
    functionsUsd: sumBy(
      calling,
      oncePerForecast((trial) => trialCostUsd(trial, priceOf(trial.cell.architecture))),
    ),
    driverUsd: sumBy(forecasts, (forecast) =>
      driverUsd(forecast, adjustModel(forecast.plan, model), priceOf(driven)),
    ),
    controlUsd: controlUsd(control, priceOf(driven)),
    transitionsUsd: transitions * rates.transitionUsd,
    ...defined({ dataUsd, resultsUsd, logsUsd }),
  };
}

function countAll(calling: readonly TrialForecast[]): number {
  return sumBy(
    calling,
    oncePerForecast((trial) => countCalls(allCalls(trial))),
  );
}

/** Counts the measured calls, one driver per environment, and the other drivers; every driver counts as a cold start. */
function loggedBy(calling: readonly TrialForecast[], control: ReturnType<typeof controlCalls>) {
  const drivers = calling.length + sumBy(control, ({ count }) => count);
  return {
    invocations: countAll(calling) + drivers,
    coldStarts: calling.length + drivers,
  };
}

/** Returns the cost of the operations at the services that they call, USD; undefined if a price is not known. */
function dataEstimate(
  forecasts: readonly Forecast[],
  prices: RegionPrices | undefined,
): number | undefined {
  const parts = forecasts.map(({ plan, tries, blocks }) =>
    findService(plan) === undefined
      ? 0
      : dataCostUsd(callsByOperation([...tries, ...blocks.flat()]), prices, plan.requests),
  );
  return parts.includes(undefined) ? undefined : sumBy(parts, (part = 0) => part);
}

/** Returns every price that the run needs, or the names of all missing ones. */
function findRates(
  architectures: readonly Architecture[],
  region: string,
  prices: PriceTable,
): Rates | PriceAbsent {
  const lambda = new Map<string, LambdaPrice>();
  const missing = new Set<string>();
  for (const architecture of new Set(architectures)) {
    const price = lambdaPrice(prices, region, architecture);
    if (price.kind === "lambda-price") lambda.set(architecture, price);
    else for (const field of price.missing) missing.add(field);
  }
  const transitionUsd = prices.regions[region]?.stepFunctionsTransitionUsd;
  if (transitionUsd === undefined) missing.add("stepFunctionsTransitionUsd");
  else if (missing.size === 0) return { kind: "rates", lambda, transitionUsd };
  return { kind: "price-absent", region, missing: [...missing] };
}

function countTransitions(
  forecasts: readonly Forecast[],
  trials: number,
  { transitions }: RunModel,
): number {
  const { base, perExperiment, perBlock, perTrial, perChild, perLook } = transitions;
  const blocks = sumBy(forecasts, (forecast) => forecast.blocks.length);
  const looks = sumBy(forecasts, ({ plan, blocks }) => lookCount(plan, blocks.length));
  const children = sumBy(forecasts, (each) => each.blocks.slice(each.inlineBlocks).flat().length);
  const ofTrials = perTrial * trials + perChild * children;
  const ofBlocks = perBlock * blocks + ofTrials + perLook * looks;
  return base + perExperiment * forecasts.length + ofBlocks;
}

function driverUsd(forecast: Forecast, model: RunModel, price: LambdaPrice): number {
  const { memoryMb, invocationsPerTrial } = model.driver;
  const trials = forecast.blocks.flat();
  const billedDurationMs =
    sumBy(
      trials,
      oncePerForecast((trial) => trialMs(trial, model)),
    ) + updateDelaysMs(forecast, model);
  const { requestUsd } = price;
  const timeUsd = invocationCostUsd({ billedDurationMs, memoryMb }, { ...price, requestUsd: 0 });
  return timeUsd + trials.length * invocationsPerTrial * requestUsd;
}

function sumBy<Item>(items: readonly Item[], amountOf: (item: Item) => number): number {
  return items.reduce((sum, item) => sum + amountOf(item), 0);
}

/** Returns `$1.23`, or two digits below $0.10, so that no estimate is shown as nothing. */
export function estimatedUsdText(usd: number): string {
  return `$${usd >= 0.1 ? usd.toFixed(2) : usd.toPrecision(2)}`;
}

/** States what AWS Config may add to a run's bill, and how to avoid it; empty if the target is not AWS. */
export function describeConfigurationItems({
  configurationItems,
  configurationItemsUsd,
  ruleEvaluationsUsd,
}: Estimate): readonly string[] {
  if (configurationItems === undefined) return [];
  const usd =
    configurationItemsUsd === undefined
      ? "at a price that is not known"
      : estimatedUsdText(configurationItemsUsd);
  const rules =
    ruleEvaluationsUsd === undefined
      ? ""
      : `, and ${estimatedUsdText(ruleEvaluationsUsd)} more for each of its rules that changes of functions trigger`;
  return [
    `where it records continuously, ${configurationItems} configuration items, ${usd} beside the cost${rules}: ` +
      "exclude the resource type AWS::Lambda::Function from its recorder",
  ];
}
