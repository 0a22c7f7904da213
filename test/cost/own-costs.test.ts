import { describe, expect, it } from "vitest";
import type { Plan } from "../../lib/contract/types/contract.ts";
import { publishedPriors } from "../../lib/cost/duration-priors.ts";
import { estimateRun } from "../../lib/cost/estimate.ts";
import {
  controlCalls,
  controlUsd,
  logUsd,
  ownRequests,
  ownRequestsUsd,
  reportForecast,
} from "../../lib/cost/own-costs.ts";
import { publishedPrices } from "../../lib/cost/prices.ts";
import {
  awsRunModel,
  type Forecast,
  forecastTrials,
  forecastTries,
  type TrialForecast,
} from "../../lib/cost/run-model.ts";
import { listLooks } from "../../lib/plan/blocks.ts";
import { planOf, rust128 } from "./plan.ts";

const usEast = publishedPrices.regions["us-east-1"] ?? {};

/** A trial of so many calls, each of which bills so long. */
function trialOf(count: number, billedDurationMs = 1): TrialForecast {
  return { cell: rust128, calls: [{ count, operation: "get", billedDurationMs }] };
}

/** One cell; one block unless it is told otherwise; no warm call. */
function coldPlan(changes: Partial<Plan> = {}, environments = 1): Plan {
  const sizes = { environments, warmEnvironments: 0, warmCalls: 0, discardedCalls: 0 };
  return planOf({ cells: [rust128], sizes, ...changes });
}

function forecastOf(plan: Plan): Forecast {
  const tries = forecastTries(plan, publishedPriors);
  return { plan, tries, blocks: forecastTrials(plan, publishedPriors), inlineBlocks: 0 };
}

const requestsOf = (plan: Plan) => ownRequests([forecastOf(plan)], awsRunModel);

describe("what is expected of reading a run", () => {
  const slow = 5_000;

  it("grows with samples in the same objects, with objects of the same samples, and with trials of both", () => {
    // A part of a trial is written after 20 samples or five seconds.
    const [few, more] = [reportForecast([trialOf(1)]), reportForecast([trialOf(20)])];
    expect([few.objects, more.objects]).toEqual([1, 1]);
    const spread = reportForecast([trialOf(20, slow)]);
    expect(spread).toMatchObject({ objects: 20, samples: 20 });
    const split = reportForecast([trialOf(10, slow), trialOf(10, slow)]);
    expect(split).toMatchObject({ objects: 20, samples: 20 });
    for (const of of ["seconds", "memoryMb"] as const) {
      const sizes = [reportForecast([]), few, more, spread, split].map((each) => each[of]);
      expect(sizes).toEqual([...new Set(sizes)].sort((a, b) => a - b));
      // An object takes more than a sample in one.
      expect(more[of] - few[of]).toBeLessThan(spread[of] - more[of]);
    }
  });

  it("grows by as much with each trial as with the first", () => {
    const of = (count: number) =>
      reportForecast(Array.from({ length: count }, () => trialOf(30, 700)));
    const [none, one, ten] = [of(0), of(1), of(10)];
    expect(ten.samples).toBe(300);
    expect(ten.objects).toBe(10 * one.objects);
    expect(ten.seconds - none.seconds).toBeCloseTo(10 * (one.seconds - none.seconds), 9);
    expect(ten.memoryMb - none.memoryMb).toBeCloseTo(10 * (one.memoryMb - none.memoryMb), 9);
  });

  it("has the state Report try for longer than it takes a quick run", () => {
    expect(reportForecast([trialOf(1)]).seconds).toBeLessThan(30);
    expect(reportForecast([trialOf(1)]).memoryMb).toBeLessThan(512);
  });
});

describe("a run's own requests", () => {
  it("are, of one trial, as counted by hand", () => {
    // To write: the trial's part, first and whole; eight files, and six of the run; before and after the first
    // block, for the report and for the checksums, two lists and one more of a thousand objects.
    const put = 1 + 1 + 8 + 6 + 4 * (2 + 1);
    // To read: the plan by the driver, which looks at the lock twice and once more in five seconds; the part by the
    // first block's check and by the report, which reads two files besides; the files again for their checksums.
    const get = 1 + 3 + 1 + (1 + 2) + 8 + 6;
    // The seed: 25 items of two units.
    expect(requestsOf(coldPlan())).toEqual({ put, get, write: 50 });
  });

  it("of a seed are an object each in a bucket, and none where there is no table", () => {
    const without = requestsOf(coldPlan({ withoutTable: true }));
    expect(without).toEqual({ ...requestsOf(coldPlan()), write: 0 });
    const bucket = requestsOf(coldPlan({ withoutTable: true, withBucket: true }));
    expect(bucket).toEqual({ ...without, put: without.put + 100 });
  });

  it("write a user's function's parts twice: its environment is known at the end", () => {
    const [ours, own] = [
      requestsOf(coldPlan({}, 3)),
      requestsOf(coldPlan({ ownResults: true }, 3)),
    ];
    expect(own.put - ours.put).toBe(3);
  });

  it("add up over experiments, what the run has once counted once", () => {
    const one = forecastOf(coldPlan());
    const [single, both] = [ownRequests([one], awsRunModel), ownRequests([one, one], awsRunModel)];
    const none = ownRequests([], awsRunModel);
    for (const of of ["put", "get", "write"] as const) {
      expect(both[of]).toBe(2 * single[of] - none[of]);
    }
    expect(none.write).toBe(0);
    expect(none.put).toBeGreaterThan(0);
  });

  it("read and list everything again at each look of a stopping rule, which the state Precision makes", () => {
    const rule = { untilPrecision: 0.05, maxSamples: 1000, maxMinutes: 10_000 } as const;
    const plan = coldPlan({}, 30);
    const looking = { ...plan, sizes: { ...plan.sizes, environments: 10 } };
    const stopping = { ...rule, mostBlocksBy: "maxSamples" as const };
    const looks = listLooks(10, 30).length;
    const [without, within] = [requestsOf(plan), requestsOf({ ...looking, stopping })];
    // One object a trial, and the two files besides; two lists, and one of the objects.
    expect(within.get - without.get).toBe(looks * (30 + 2));
    expect(within.put - without.put).toBe(looks * 3);
    const countOf = (made: Plan) =>
      controlCalls([forecastOf(made)], awsRunModel).find(({ handler }) => handler === "precision");
    expect(countOf({ ...looking, stopping })?.count).toBe(looks);
    expect(countOf(plan)?.count).toBe(0);
  });

  it("look at the lock more often in a trial that lasts longer", () => {
    const priorOf = (warmMs: number) => ({
      rust: { memoryMb: 128, initMs: 1, firstMs: 1, secondMs: 1, warmMs },
    });
    const sizes = { environments: 1, warmEnvironments: 1, warmCalls: 100, discardedCalls: 0 };
    const plan = planOf({ cells: [rust128], sizes, warmOperations: ["get"] });
    const getsOf = (warmMs: number) => {
      const blocks = forecastTrials(plan, { ...publishedPriors, ...priorOf(warmMs) });
      const forecast = { ...forecastOf(plan), blocks };
      return ownRequests([forecast], awsRunModel).get - 2 * objectsOf(blocks);
    };
    const objectsOf = (blocks: Forecast["blocks"]) => reportForecast(blocks.flat()).objects;
    // A hundred calls of one second more are 100 seconds, and a look is made every five. The parts are read twice:
    // by the first block's check, and by the report.
    expect(getsOf(2170) - getsOf(1170)).toBe(20);
  });

  it("cost what each of them costs, and nothing can be said without the price of one", () => {
    const { s3, dynamodb } = usEast;
    const [put, get] = [
      { put: 1000, get: 0, write: 0 },
      { put: 0, get: 1000, write: 0 },
    ];
    const write = { put: 0, get: 0, write: 1000 };
    expect(ownRequestsUsd(put, usEast)).toBeCloseTo(1000 * Number(s3?.putRequestUsd), 12);
    expect(ownRequestsUsd(get, usEast)).toBeCloseTo(1000 * Number(s3?.getRequestUsd), 12);
    const writtenUsd = 1000 * Number(dynamodb?.writeRequestUnitUsd);
    expect(ownRequestsUsd(write, usEast)).toBeCloseTo(writtenUsd, 12);
    const { dynamodb: _, ...s3Alone } = usEast;
    expect(ownRequestsUsd(write, s3Alone)).toBeUndefined();
    expect(ownRequestsUsd(put, s3Alone)).toBe(ownRequestsUsd(put, usEast));
    expect(ownRequestsUsd(put, {})).toBeUndefined();
    expect(ownRequestsUsd(put, undefined)).toBeUndefined();
  });
});

describe("what the states beside the drivers cost", () => {
  const callsOf = (...plans: readonly Plan[]) => controlCalls(plans.map(forecastOf), awsRunModel);

  it("is a call of each state an experiment, and one of Plan and Overview a run", () => {
    const count = (plans: readonly Plan[]) => {
      const counts = callsOf(...plans).map(({ handler, count }) => [handler, count] as const);
      return counts
        .filter(([, each]) => each > 0)
        .map(([handler]) => handler)
        .sort();
    };
    const each = ["first-block", "report", "restore", "seed", "try-functions"] as const;
    const once = ["overview", "plan"] as const;
    expect(count([coldPlan()])).toEqual([...each, ...once].sort());
    expect(count([coldPlan(), coldPlan()])).toEqual([...each, ...each, ...once].sort());
  });

  it("grows with the functions to restore, of all experiments, and with what is to be read", () => {
    const msOf = (handler: string, ...plans: readonly Plan[]) =>
      callsOf(...plans).find((each) => each.handler === handler)?.billedDurationMs ?? Number.NaN;
    const two = planOf();
    expect(msOf("restore", two) - msOf("restore", coldPlan())).toBe(1000);
    expect(msOf("restore", two, two) - msOf("restore", two)).toBe(2000);
    expect(msOf("report", coldPlan({}, 9))).toBeGreaterThan(msOf("report", coldPlan()));
    expect(msOf("try-functions", two)).toBeGreaterThan(msOf("seed", two));
    expect(controlUsd(callsOf(two), { kind: "lambda-price", gbSecondUsd: 0, requestUsd: 1 })).toBe(
      callsOf(two).reduce((sum, { count }) => sum + count, 0),
    );
  });
});

describe("the cost of logs", () => {
  it("is a GB's for as many lines of calls, and of new environments, as fill one", () => {
    const gbUsd = usEast.logs?.ingestedGbUsd;
    expect(logUsd({ invocations: 1e9 / 450, coldStarts: 0 }, usEast)).toBeCloseTo(Number(gbUsd), 9);
    expect(logUsd({ invocations: 0, coldStarts: 1e9 / 250 }, usEast)).toBeCloseTo(Number(gbUsd), 9);
    expect(logUsd({ invocations: 1, coldStarts: 1 }, {})).toBeUndefined();
  });

  it("is that of the drivers' lines too, each in a new environment", () => {
    const run = estimateRun(coldPlan(), { region: "us-east-1", prices: publishedPrices });
    if (run.kind !== "estimated") throw new Error(run.missing.join());
    // Two samples and a description, and a get and a put before the first block; a driver for each of the two
    // environments; the states Plan, Seed, Try functions, First block, Restore, Report, Overview.
    const lines = { invocations: 5 + 2 + 7, coldStarts: 2 + 2 + 7 };
    expect(run.parts.logsUsd).toBeCloseTo(Number(logUsd(lines, usEast)), 15);
  });
});
