import { describe, expect, it } from "vitest";
import type { FunctionsFile, MeasuredFunction } from "../../lib/contract/types/contract.ts";
import { contractProblem } from "../../lib/contract/validate.ts";
import { checkedFunctions } from "../../lib/functions/functions-file.ts";
import { artefactOn, declaredFactors } from "../../lib/functions/one-factor.ts";

const base: MeasuredFunction = {
  ...{ name: "base", artefact: "f.zip", runtime: "nodejs22.x" },
  environment: { LOG_LEVEL: "info", TABLE: "orders" },
};
const fileOf = (...functions: readonly MeasuredFunction[]): FunctionsFile => ({
  schemaVersion: 1,
  functions: [...functions],
  events: [{ name: "invoke", payload: {} }],
});
const differing = (changes: Partial<MeasuredFunction>) =>
  fileOf(base, { ...base, name: "other", differsFrom: "base", ...changes });

describe("a function that differs from another", () => {
  it.each([
    ["artefact", { artefact: "g.zip" }],
    ["artefact", { artefactByArchitecture: { arm64: "arm.zip" } }],
    ["runtime", { runtime: "nodejs24.x" }],
    ["handler", { handler: "index.other" }],
    ["environment variable LOG_LEVEL", { environment: { LOG_LEVEL: "error", TABLE: "orders" } }],
    ["environment variable TABLE", { environment: { LOG_LEVEL: "info" } }],
    ["layers", { layers: ["arn:aws:lambda:eu-west-1:123456789012:layer:l:1"] }],
    ["layers", { layers: [], layerArtefacts: ["layer.zip"] }],
    ["permissions", { permissions: { managedPolicies: ["ReadOnlyAccess"] } }],
    ["aws.ephemeralStorageMb", { aws: { ephemeralStorageMb: 1024 } }],
  ] as const)("in %s alone is compared by it", (factor, changes) => {
    const file = differing(changes as unknown as Partial<MeasuredFunction>);
    expect(declaredFactors(file)).toEqual([{ factor, variant: "other", baseline: "base" }]);
  });

  it.each([
    [
      "in two factors",
      { runtime: "nodejs24.x", environment: { LOG_LEVEL: "error", TABLE: "orders" } },
      'other: differsFrom: found "runtime, environment variable LOG_LEVEL"; allowed: one difference from base',
    ],
    ["in two variables", { environment: {} }, "LOG_LEVEL, environment variable TABLE"],
    ["in nothing", {}, 'other: differsFrom: found "no difference"; allowed: one difference'],
    ["from one that there is not", { differsFrom: "bse" }, "allowed: a function before it (base)"],
    ["from itself", { differsFrom: "other" }, "allowed: a function before it (base)"],
  ] as const)("%s is refused", (_, changes, message) => {
    const file = differing(changes as unknown as Partial<MeasuredFunction>);
    expect(() => checkedFunctions(file)).toThrow(message);
  });

  it("is refused where it is the first", () => {
    const file = fileOf({ ...base, differsFrom: "base" });
    expect(() => checkedFunctions(file)).toThrow("a function before it: it is the first");
  });

  it("needs no name where none is declared", () => {
    const file = fileOf(base, { name: "head", artefact: "g.zip", runtime: "python3.13" });
    expect(declaredFactors(checkedFunctions(file))).toEqual([]);
  });
});

describe("an artefact for each architecture", () => {
  const measured = { ...base, artefactByArchitecture: { arm64: "arm.zip" } };

  it("stands in the place of the other", () => {
    expect(artefactOn(measured, "arm64")).toBe("arm.zip");
    expect(artefactOn(measured, "x86_64")).toBe("f.zip");
  });

  it.each([
    [{}, "an artefact for arm64, x86_64 or both"],
    [{ arm: "a.zip" }, "no such field; known: arm64, x86_64"],
  ] as const)("is refused where it is %j", (artefactByArchitecture, message) => {
    const value = { ...fileOf(base), functions: [{ ...base, artefactByArchitecture }] };
    expect(contractProblem("functions", value)?.message).toContain(message);
    expect(contractProblem("functions", fileOf(measured))).toBeUndefined();
  });
});
