import { describe, expect, it } from "vitest";
import type { Plan, Sample } from "../../lib/contract/types/contract.ts";
import { publishedPrices } from "../../lib/cost/prices.ts";
import { type BlockMap, countEvents } from "../../lib/plan/block-map.ts";
import { estimatedPlan } from "../../lib/run/estimated-plan.ts";
import { definitionOf, templateWith } from "../support/asl-definition.ts";
import { ExecutionStopped } from "../support/asl-interpreter.ts";
import { execute, file, portsFor, redrive, stored } from "../support/state-machine.ts";
import { coldOnly, run, twoSizes } from "../support/two-sizes-run.ts";

/** The same state machine as of a run that Plan found too long for an inline Map. */
const distributed = definitionOf(templateWith(twoSizes), (text) =>
  text.replace('$run.map = \\"inline\\"', "false"),
);
const isMap = (state: string) => state.startsWith("Measure block");

describe("a run whose history has room for its trials", () => {
  it("measures its blocks in the inline Map, with no more events than were counted", async () => {
    const { ports, history, events, transitions } = await run(coldOnly);
    const plan = file<Plan>(ports, "plan.json");
    expect(history.filter(isMap)).toEqual(plan.blocks.map(() => "Measure block"));
    expect(events).toBeLessThanOrEqual(countEvents([plan], "inline"));
    expect(transitions).toBe(plan.estimate?.transitions);
  });
});

describe("a run that is too long or too wide for an inline Map", () => {
  it("measures its blocks in the distributed Map, with a transition more for each trial", async () => {
    const ports = portsFor(distributed);
    const { history, events, transitions } = await execute(distributed, ports, coldOnly);
    const plan = file<Plan>(ports, "plan.json");
    expect(history.filter(isMap)).toEqual(plan.blocks.map(() => "Measure block, distributed"));
    expect(events).toBeLessThanOrEqual(countEvents([plan], "distributed"));
    const estimated = (map: BlockMap) =>
      estimatedPlan(plan, { region: "us-east-1", prices: publishedPrices }, map).estimate;
    expect(estimated("distributed")?.transitions).toBe(transitions);
    expect(estimated("distributed")?.minutes).toBeCloseTo(
      (estimated("inline")?.minutes ?? 0) + (plan.blocks.length * 5) / 60,
    );
  });
});

describe("a run whose drivers are throttled after its first block", () => {
  it("goes on in the distributed Map before retries and failures fill its history", async () => {
    const refused = Object.assign(new Error("Rate Exceeded"), {
      name: "Lambda.TooManyRequestsException",
    });
    const { ports, history, events } = await run(
      { ...coldOnly, cold: 10 },
      {
        onDriver: (handler, { block }) => {
          if (handler === "DrivermeasureFunction" && block !== 0) throw refused;
        },
      },
    );
    const plan = file<Plan>(ports, "plan.json");
    const before = 1 + Math.ceil(1_001 / (32 * plan.cells.length));
    expect(history.filter(isMap)).toEqual(
      plan.blocks.map((_, block) =>
        block < before ? "Measure block" : "Measure block, distributed",
      ),
    );
    expect(events).toBeLessThan(countEvents([plan], "inline") + 2_000);
  });
});

describe("a Map that is stopped and redriven", () => {
  it.each([
    ["inline", twoSizes, coldOnly, 2],
    ["distributed", distributed, coldOnly, undefined],
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
