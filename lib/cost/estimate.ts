import { driverArchitecture } from "../contract/driver-architecture.ts";
import { looksOf } from "../contract/looks.ts";
import { serviceOf } from "../contract/service-of.ts";
import type { Estimate, Plan } from "../contract/types/contract.ts";
import { dataCostUsd } from "./data-cost.ts";
import { invocationCostUsd } from "./invocation-cost.ts";
import {
  type LambdaPrice,
  lambdaPrice,
  type PriceAbsent,
  type PriceTable,
  type RegionPrices,
} from "./prices.ts";
import { type DurationPriors, priorsOf } from "./priors.ts";
import { type Forecast, minutesOf, modelOf, visitMs, withinMinutes } from "./run-minutes.ts";
import { awsRunModel, localRunModel, type RunModel } from "./run-model.ts";
import {
  callCount,
  callsByOperation,
  forecastVisits,
  type VisitForecast,
  visitCostUsd,
} from "./visit-forecast.ts";

export interface EstimateOptions {
  readonly region: string;
  readonly prices: PriceTable;
  /** @default the plan's, and publishedPriors where it has none */
  readonly priors?: DurationPriors;
  /** @default awsRunModel, and localRunModel for a plan whose target is not AWS */
  readonly model?: RunModel;
}

export interface EstimatedRun {
  readonly kind: "estimated";
  readonly estimate: Estimate;
  readonly parts: CostParts;
  /** Parts that costUsd does not hold, to be told beside it. */
  readonly notPriced: readonly "data"[];
}

/** What costUsd is the sum of. */
export interface CostParts {
  readonly functionsUsd: number;
  readonly driverUsd: number;
  readonly transitionsUsd: number;
  /** Requests to DynamoDB or S3; absent when their price, or an operation's requests, are not known. */
  readonly dataUsd?: number;
}

type Architecture = Plan["cells"][number]["architecture"];

interface Rates {
  readonly kind: "rates";
  readonly lambda: ReadonlyMap<string, LambdaPrice>;
  readonly transitionUsd: number;
}

/**
 * What a run of one plan, or of several one after another, is expected to take: the measured
 * functions' GB-seconds and requests, the driver's own Lambda time, state transitions, and DynamoDB's
 * request units where they are priced; under a stopping rule all of it at the most: of all blocks, or of
 * those that are expected to fit into its minutes. A run off AWS costs nothing. Absent prices of functions,
 * driver or transitions give `price-absent` with all of them named. Throws RangeError on a plan that visits
 * a cell it does not have.
 */
export function estimateRun(
  run: Plan | readonly Plan[],
  options: EstimateOptions,
): EstimatedRun | PriceAbsent {
  const plans = "cells" in run ? [run] : run;
  const { region, prices } = options;
  const isOnAws = plans.some(({ target }) => target === "aws");
  const model = options.model ?? (isOnAws ? awsRunModel : localRunModel);
  const forecasts = plans.map((plan): Forecast => {
    const blocks = forecastVisits(plan, options.priors ?? priorsOf(plan));
    return withinMinutes({ plan, blocks }, model);
  });
  const transitions = transitionsOf(forecasts, model);
  const parts = costParts(forecasts, transitions, { region, prices, model });
  if ("kind" in parts) return parts;
  const { functionsUsd, driverUsd, transitionsUsd, dataUsd } = parts;
  const estimate: Estimate = {
    invocations: sumOf(visitsOf(forecasts), callCount),
    minutes: minutesOf(forecasts, model),
    transitions,
    costUsd: functionsUsd + driverUsd + transitionsUsd + (dataUsd ?? 0),
    pricesDate: prices.date,
    pricesRegion: region,
  };
  return { kind: "estimated", estimate, parts, notPriced: dataUsd === undefined ? ["data"] : [] };
}

function visitsOf(forecasts: readonly Forecast[]): readonly VisitForecast[] {
  return forecasts.flatMap(({ blocks }) => blocks.flat());
}

function costParts(
  forecasts: readonly Forecast[],
  transitions: number,
  { region, prices, model }: Required<Omit<EstimateOptions, "priors">>,
): CostParts | PriceAbsent {
  if (forecasts.every(({ plan }) => plan.target !== "aws")) {
    return { functionsUsd: 0, driverUsd: 0, transitionsUsd: 0, dataUsd: 0 };
  }
  const cells = forecasts.flatMap(({ plan }) => plan.cells);
  const driven = driverArchitecture(cells);
  const rates = ratesOf([driven, ...cells.map((cell) => cell.architecture)], region, prices);
  if (rates.kind === "price-absent") return rates;
  const priceOf = (architecture: Architecture) => rates.lambda.get(architecture) as LambdaPrice;
  const visits = visitsOf(forecasts);
  const dataUsd = dataOf(forecasts, prices.regions[region]);
  return {
    functionsUsd: sumOf(visits, (visit) => visitCostUsd(visit, priceOf(visit.cell.architecture))),
    driverUsd: sumOf(forecasts, ({ plan, blocks }) =>
      driverUsd(blocks.flat(), modelOf(plan, model), priceOf(driven)),
    ),
    transitionsUsd: transitions * rates.transitionUsd,
    ...(dataUsd === undefined ? {} : { dataUsd }),
  };
}

/** What the operations cost at the services that they call; undefined where one's price is not known. */
function dataOf(
  forecasts: readonly Forecast[],
  prices: RegionPrices | undefined,
): number | undefined {
  const parts = forecasts.map(({ plan, blocks }) =>
    serviceOf(plan) === undefined
      ? 0
      : dataCostUsd(callsByOperation(blocks.flat()), prices, plan.requests),
  );
  return parts.reduce<number | undefined>(
    (sum, part) => (sum === undefined || part === undefined ? undefined : sum + part),
    0,
  );
}

/** Every price that the run needs, or the names of all that are missing. */
function ratesOf(
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
  if (transitionUsd !== undefined && missing.size === 0) {
    return { kind: "rates", lambda, transitionUsd };
  }
  if (transitionUsd === undefined) missing.add("stepFunctionsTransitionUsd");
  return { kind: "price-absent", region, missing: [...missing] };
}

function transitionsOf(forecasts: readonly Forecast[], { transitions }: RunModel): number {
  const { base, perExperiment, perBlock, perVisit, perLook } = transitions;
  const blocks = sumOf(forecasts, (forecast) => forecast.blocks.length);
  const visits = visitsOf(forecasts).length;
  const looks = sumOf(forecasts, looksIn);
  const ofBlocks = perBlock * blocks + perVisit * visits + perLook * looks;
  return base + perExperiment * forecasts.length + ofBlocks;
}

/** Looks of a stopping rule that measures all these blocks. */
function looksIn({ plan, blocks }: Forecast): number {
  return plan.stopping === undefined ? 0 : looksOf(plan.sizes.environments, blocks.length).length;
}

function driverUsd(visits: readonly VisitForecast[], model: RunModel, price: LambdaPrice): number {
  const { memoryMb, invocationsPerVisit } = model.driver;
  const billedDurationMs = sumOf(visits, (visit) => visitMs(visit, model));
  const { requestUsd } = price;
  const timeUsd = invocationCostUsd({ billedDurationMs, memoryMb }, { ...price, requestUsd: 0 });
  return timeUsd + visits.length * invocationsPerVisit * requestUsd;
}

function sumOf<Item>(items: readonly Item[], amountOf: (item: Item) => number): number {
  return items.reduce((sum, item) => sum + amountOf(item), 0);
}
