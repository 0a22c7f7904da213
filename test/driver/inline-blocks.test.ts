import { describe, expect, it } from "vitest";
import type { CellFailure, Plan, Sample } from "../../lib/contract/types/contract.ts";
import { publishedPrices } from "../../lib/cost/prices.ts";
import { countEvents } from "../../lib/plan/inline-blocks.ts";
import { estimatedPlan } from "../../lib/run/estimated-plan.ts";
import { definitionOf, templateWith } from "../support/asl-definition.ts";
import { ExecutionStopped } from "../support/asl-interpreter.ts";
import { execute, file, portsFor, redrive, stored } from "../support/state-machine.ts";
import { coldOnly, run, twoSizes } from "../support/two-sizes-run.ts";

/** The state machine, as if the history had room for no more than these blocks. */
const withInlineBlocks = (count: number) =>
  definitionOf(templateWith(twoSizes), (text) =>
    text.replaceAll("$run.experiments[$at].inlineBlocks", `${count}`),
  );
const isMap = (state: string) => state.startsWith("Measure block");
const eventsOf = (plan: Plan, inlineTrials: number) => countEvents([plan]) + 12 * inlineTrials;

describe("a run whose history has room for its trials", () => {
  it("measures its blocks in the inline Map, with no more events than were counted", async () => {
    const { ports, history, events, transitions } = await run(coldOnly);
    const plan = file<Plan>(ports, "plan.json");
    expect(history.filter(isMap)).toEqual(plan.blocks.map(() => "Measure block"));
    expect(events).toBeLessThanOrEqual(eventsOf(plan, plan.blocks.length * plan.cells.length));
    expect(transitions).toBe(plan.estimate?.transitions);
  });
});

describe("a run that is too long for the inline Map", () => {
  it("goes on in the distributed Map, with a transition more for each trial", async () => {
    const machine = withInlineBlocks(1);
    const ports = portsFor(machine);
    const { history, events, transitions } = await execute(machine, ports, coldOnly);
    const plan = file<Plan>(ports, "plan.json");
    expect(history.filter(isMap)).toEqual(["Measure block", "Measure block, distributed"]);
    expect(events).toBeLessThanOrEqual(eventsOf(plan, plan.cells.length));
    const estimated = (inlineBlocks: number) =>
      estimatedPlan(plan, {
        region: "us-east-1",
        prices: publishedPrices,
        inlineBlocks: [inlineBlocks],
      }).estimate;
    expect(estimated(1)?.transitions).toBe(transitions);
    expect(estimated(1)?.minutes).toBeCloseTo((estimated(2)?.minutes ?? 0) + 5 / 60);
  });
});

describe("a run whose trials all fail after its first block", () => {
  it("has no more events than were counted", async () => {
    const { ports, events } = await run(
      { ...coldOnly, cold: 4 },
      {
        onDriver: (handler, { block }) => {
          if (handler === "DrivermeasureFunction" && block !== 0) throw new Error("no storage");
        },
      },
    );
    const plan = file<Plan>(ports, "plan.json");
    expect(stored<CellFailure>(ports, "failures")).toHaveLength(3 * plan.cells.length);
    expect(events).toBeLessThanOrEqual(eventsOf(plan, plan.blocks.length * plan.cells.length));
  });
});

describe("a Map that is stopped and redriven", () => {
  it.each([
    ["inline", twoSizes, coldOnly, 2],
    ["distributed", withInlineBlocks(0), coldOnly, undefined],
  ] as const)(
    "repeats the trial that was under way as another attempt, and makes the others once: %s",
    async (_, machine, input, later) => {
      const ports = portsFor(machine);
      const stopped = 2;
      let trials = 0;
      const execution = await execute(machine, ports, input, (handler) => {
        if (handler !== "DrivermeasureFunction") return;
        if (trials === stopped) throw new ExecutionStopped();
        trials += 1;
      });
      const { end } = await redrive(machine, ports, 1, execution);
      expect(end.status).toBe("SUCCEEDED");
      const { blocks, cells } = file<Plan>(ports, "plan.json");
      const cold = stored<Sample>(ports, "samples").filter(({ phase }) => phase === "cold");
      const attempts = blocks.flatMap(({ index, trials: each }) =>
        each.map(({ cellId }) =>
          cold
            .filter(({ block, cell }) => block === index && cell.id === cellId)
            .map(({ attempt }) => attempt),
        ),
      );
      expect(attempts).toEqual(
        attempts.map((_each, place) => {
          if (place === stopped) return [2];
          // In the inline Map, the execution's redrive counts for all that its block had left.
          return [place > stopped && place < cells.length ? later : undefined];
        }),
      );
    },
  );
});
