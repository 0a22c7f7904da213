import { describe, expect, it } from "vitest";
import {
  functionsSubject,
  functionsTitle,
  toFunctionName,
} from "../../lib/plan/functions-subject.ts";
import { experimentFolder, newRunId } from "../../lib/plan/run-id.ts";
import { smallPlan } from "../support/small-plan.ts";

describe("a run's id", () => {
  it("is its minute and what tells it from others of the same minute, and sorts by time", () => {
    expect(newRunId("2026-01-02T03:04:05.678Z", "a1b2c3")).toBe("20260102T0304Z-a1b2c3");
    const times = [
      "2025-12-31T23:59:59.999Z",
      "2026-01-01T00:00:00.000Z",
      "2026-01-01T10:00:00.000Z",
    ];
    const ids = times.map((time) => newRunId(time, "abcdef"));
    expect([...ids].sort()).toEqual(ids);
  });

  it("has a folder of its own for each experiment where there are several, and none for one alone", () => {
    expect(experimentFolder("compute", ["compute"])).toBe("");
    expect(experimentFolder("compute", ["compute", "dynamodb"])).toBe("compute");
  });
});

describe("a run of users' functions", () => {
  it("names a function after any text, within 30 characters that end in no hyphen", () => {
    expect(toFunctionName("42 My.Function (v2)")).toBe("my-function-v2");
    expect(toFunctionName(`${"a".repeat(29)}-and-more`)).toBe("a".repeat(29));
    expect(toFunctionName("42")).toBe("function");
  });

  it("asks for a memory size of one, and of several whether the others differ from the first", () => {
    expect(functionsTitle(["a"])).toEqual({
      title: "Functions: a",
      question: "Which memory size for a?",
    });
    expect(functionsTitle(["a", "b", "c"])).toEqual({
      title: "Functions: a, b, c",
      question: "Is b or c faster or slower than a?",
    });
  });

  it("names each function once, in the plan's order, and the first as the baseline", () => {
    const cells = smallPlan({ variants: ["python", "rust"], memoryMb: [128, 512] }).cells;
    const { variants, baselineVariant, title } = functionsSubject({ cells });
    expect(variants).toEqual([
      { id: "python", label: "python" },
      { id: "rust", label: "rust" },
    ]);
    expect(baselineVariant).toBe("python");
    expect(title).toBe("Functions: python, rust");
  });
});
