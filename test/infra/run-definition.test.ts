import { describe, expect, it } from "vitest";
import { type AslState, definitionOf } from "../support/asl-definition.ts";
import { synthTemplate } from "../support/synth.ts";

const template = synthTemplate({ memory: "128" });
const definition = definitionOf(template);
const measureBlock = definition.States["Measure block"] as AslState;
const children = measureBlock.ItemProcessor?.States ?? {};

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

  it("measures the block's cells in children of their own, in as many lanes as the plan has", () => {
    expect(measureBlock.ItemProcessor?.ProcessorConfig).toEqual({
      Mode: "DISTRIBUTED",
      ExecutionType: "STANDARD",
    });
    expect(measureBlock.MaxConcurrency).toBe("{% $run.lanes %}");
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
    ];
    const errors = [
      "Lambda.ClientExecutionTimeoutException",
      "Lambda.ServiceException",
      "Lambda.AWSLambdaException",
      "Lambda.SdkClientException",
      "Lambda.TooManyRequestsException",
    ];
    const measure = ["Measure", "Lambda.TooManyRequestsException"];
    expect(retries.sort()).toEqual([...control.map((name) => [name, ...errors]), measure].sort());
    expect(measureBlock).not.toHaveProperty("Retry");
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
