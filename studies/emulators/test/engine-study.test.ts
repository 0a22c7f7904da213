import { describe, expect, it } from "vitest";
import { contractProblem } from "../../../lib/contract/validate.ts";
import { experimentById, experiments } from "../../../lib/experiments/catalogue.ts";
import { plannedSamples } from "../../../lib/plan/expand.ts";
import { enginesInFiles } from "../collect.ts";
import { emulators, type StudyChoice, studyPlan } from "../definition.ts";
import { engineKinds } from "../engines/engine-kinds.ts";

const choice: StudyChoice = {
  runId: "20260102T0304Z-a1b2c3",
  createdAt: "2026-01-02T03:04:05.000Z",
  seed: 5,
  preset: "quick",
  rounds: 6,
  engines: emulators.engines,
  architecture: "x86_64",
  memoryMb: 65_536,
  leftOut: [],
};
const plan = studyPlan(emulators, choice);
const trialsOf = (id: string) =>
  plan.blocks.map(({ trials }) => trials.find(({ cellId }) => cellId === id)?.warmOrder);

describe("the plan of a comparison of engines", () => {
  it("keeps the contract of every plan, on a machine of any size", () => {
    expect(contractProblem("plan", plan)).toBeUndefined();
  });

  it("has every engine once in every round, in an order that the seed determines", () => {
    const orders = plan.blocks.map(({ trials }) => trials.map(({ cellId }) => cellId));
    const ids = emulators.engines.filter(({ rounds }) => rounds === undefined).map(({ id }) => id);
    for (const order of orders.slice(1)) expect([...order].sort()).toEqual([...ids].sort());
    expect(new Set(orders.map((order) => order.join())).size).toBeGreaterThan(1);
    expect(studyPlan(emulators, choice)).toEqual(plan);
    expect(studyPlan(emulators, { ...choice, seed: 6 }).blocks).not.toEqual(plan.blocks);
  });

  it("asks the 13 steps in their order, because each stands on those before it", () => {
    for (const asked of trialsOf("dynamodb-local")) {
      expect(asked?.slice(0, 13)).toEqual([
        ...["create_table", "batch_write", "get", "put", "query", "query_index"],
        ...["query_paginated", "scan", "update", "transact_write", "batch_get"],
        ...["delete", "delete_table"],
      ]);
    }
  });

  it("warms the warm JVM before its first step, and no other engine", () => {
    expect(trialsOf("dynamodb-local-warm").map((asked) => asked?.[0])).toEqual(
      Array(6).fill("warm_up"),
    );
    expect(trialsOf("dynamodb-local").flat()).not.toContain("warm_up");
  });

  it("asks for fidelity once, and a slow engine for its workload in one quick round", () => {
    expect(trialsOf("dynoxide-http").map((asked) => asked?.includes("fidelity"))).toEqual([
      ...[true, false, false, false, false, false],
    ]);
    expect(trialsOf("moto").map((asked) => asked?.length)).toEqual([13, 0, 0, 0, 0, 0]);
    const standard = studyPlan(emulators, { ...choice, preset: "standard" });
    const ofMoto = standard.blocks.map(({ trials }) =>
      trials.find(({ cellId }) => cellId === "moto"),
    );
    expect(ofMoto.every((trial) => (trial?.warmOrder.length ?? 0) >= 15)).toBe(true);
  });

  it("fills an engine's files in the first round alone, and starts it in no other", () => {
    for (const id of enginesInFiles) {
      expect(trialsOf(id)).toEqual([["create_table", "batch_write"], ...Array(5).fill(undefined)]);
    }
  });

  it("says what a quick run does not ask an engine, and asks for it in a standard one", () => {
    expect(trialsOf("moto").flat()).not.toContain("transact_write");
    expect(trialsOf("moto").flat()).not.toContain("query_paginated");
    expect(trialsOf("dynamodb-local-warm").flat()).not.toContain("scan");
    expect(trialsOf("dynamodb-local").every((asked) => asked?.includes("scan"))).toBe(true);
    expect(plan.leftOut?.join()).toContain(
      "moto server, transact_write: it copies the whole table",
    );
    const { leftOut, blocks } = studyPlan(emulators, { ...choice, preset: "standard" });
    expect(leftOut).toBeUndefined();
    const ofMoto = blocks[0]?.trials.find(({ cellId }) => cellId === "moto");
    expect(ofMoto?.warmOrder).toContain("transact_write");
  });

  it("counts a sample for every operation, and two for every start", () => {
    const starts = plan.blocks.flatMap(({ trials }) => trials).length * 2;
    const asked = plan.blocks.flatMap(({ trials }) => trials.flatMap((trial) => trial.warmOrder));
    expect(plannedSamples(plan)).toBe(starts + asked.length);
  });

  it("holds every operation against no wrong answer at all", () => {
    for (const operation of [plan.coldOperation, ...plan.warmOperations]) {
      expect(plan.requests?.[operation]?.expected).toEqual({ wrongAnswers: 0 });
    }
  });
});

describe("the experiment emulators", () => {
  it("is none that can be deployed", () => {
    expect(experiments.map(({ id }) => id)).not.toContain(emulators.id);
    expect(() => experimentById(emulators.id)).toThrow('experiment: found "emulators"');
  });

  it("knows how every engine of it is had", () => {
    expect(Object.keys(engineKinds).sort()).toEqual(emulators.engines.map(({ id }) => id).sort());
  });

  it("knows which engines of it have their tables in files", () => {
    const inFiles = Object.keys(engineKinds).filter((id) => engineKinds[id]?.isInFiles);
    expect(inFiles.sort()).toEqual([...enginesInFiles].sort());
  });
});
