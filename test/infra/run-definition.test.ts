import { describe, expect, it } from "vitest";
import { type AslState, definitionOf } from "../support/asl-definition.ts";
import { synthTemplate } from "../support/synth.ts";

const template = synthTemplate({ memory: "128" });
const definition = definitionOf(template);
const maps = ["Measure block", "Measure block, distributed"].map(
  (name) => definition.States[name] as AslState,
);
const statesIn = (map: AslState) => map.ItemProcessor?.States ?? {};
const children = Object.assign({}, ...maps.map(statesIn)) as Readonly<Record<string, AslState>>;

describe("the state machine", () => {
  it("is Standard and JSONata throughout", () => {
    template.hasResourceProperties("AWS::StepFunctions::StateMachine", {
      StateMachineType: "STANDARD",
    });
    expect(definition).toHaveProperty("QueryLanguage", "JSONata");
    const text = JSON.stringify(definition);
    for (const field of ["InputPath", "ResultPath", "Parameters", "ResultSelector", "ItemsPath"]) {
      expect(text).not.toContain(`"${field}"`);
    }
  });

  it("says of each state in the console what it does", () => {
    const states = Object.entries({ ...definition.States, ...children });
    expect(states.length).toBeGreaterThan(17);
    for (const [name, { Comment }] of states) expect(Comment, name).toMatch(/\w+ \w+/);
    expect(definition.States.Seed?.Comment).toContain("writes the items or objects");
  });

  it("measures the block's cells in as many lanes as the plan has, in iterations or in children", () => {
    expect(maps.map(({ ItemProcessor }) => ItemProcessor?.ProcessorConfig)).toEqual([
      { Mode: "INLINE" },
      { Mode: "DISTRIBUTED", ExecutionType: "STANDARD" },
    ]);
    for (const { MaxConcurrency } of maps) expect(MaxConcurrency).toBe("{% $run.lanes %}");
  });

  it("measures a trial in the same way in both Maps", () => {
    const [inline, distributed] = maps.map((map) => JSON.stringify(statesIn(map)));
    expect(distributed?.replaceAll(", distributed", "")).toBe(inline);
  });

  it("retries a measuring driver only where it was not started, and the others for any failure of the call itself", () => {
    const retries = Object.entries({ ...definition.States, ...children }).flatMap(
      ([name, state]) => state.Retry?.map((retry) => [name, ...retry.ErrorEquals]) ?? [],
    );
    const control = [
      "Plan",
      "Seed",
      "Try functions",
      "First block",
      "Precision",
      "Restore",
      "Report",
      "Overview",
      "Record failure",
      "Record failure, distributed",
    ];
    const errors = [
      "Lambda.ClientExecutionTimeoutException",
      "Lambda.ServiceException",
      "Lambda.AWSLambdaException",
      "Lambda.SdkClientException",
      "Lambda.TooManyRequestsException",
    ];
    const measure = ["Measure", "Measure, distributed"].map((name) => [
      name,
      "Lambda.TooManyRequestsException",
    ]);
    expect(retries.sort()).toEqual(
      [...control.map((name) => [name, ...errors]), ...measure].sort(),
    );
    for (const map of maps) expect(map).not.toHaveProperty("Retry");
  });

  it("catches every failure of a task, and gives the measuring one longer than its driver has", () => {
    for (const [name, state] of Object.entries(definition.States)) {
      if (state.Type !== "Task" && state.Type !== "Map") continue;
      expect(
        state.Catch?.map((each) => each.ErrorEquals),
        name,
      ).toEqual([["States.ALL"]]);
    }
    const ways = children.Measure?.Catch?.map(({ ErrorEquals, Next }) => [...ErrorEquals, Next]);
    expect(ways).toEqual([
      ["TrialHandedOver", "Go on"],
      ["States.ALL", "Record failure"],
    ]);
    expect(children["Go on"]?.Next).toBe("Measure");
    expect(children.Measure?.TimeoutSeconds).toBe(960);
  });

  it("uses nothing that an emulator's parser is known to refuse", () => {
    const text = JSON.stringify(definition);
    const refused = ["ItemBatcher", "WriterConfig", "ResultWriter", "ItemReader", "EXPRESS"];
    for (const word of [...refused, "ToleratedFailurePercentage"]) {
      expect(text).not.toContain(word);
    }
    for (const expression of text.match(/\{%.*?%\}/g) ?? []) {
      expect(expression).not.toContain("\\n");
    }
  });
});
