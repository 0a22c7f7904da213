import { describe, expect, it } from "vitest";
import { engineChoice } from "../choice.ts";

const options = { experiment: "emulators", preset: "quick" } as const;

describe("the options of a comparison of engines", () => {
  it("take the preset's rounds and every engine", () => {
    const { rounds, engines } = engineChoice(options);
    expect(rounds).toBe(6);
    expect(engines.map(({ id }) => id)).toContain("dynamodb-local-warm");
  });

  it("choose engines and rounds", () => {
    const choice = engineChoice({ ...options, variants: ["dynalite", "moto"], cold: 2, seed: 9 });
    expect(choice.engines.map(({ id }) => id)).toEqual(["dynalite", "moto"]);
    expect(choice).toMatchObject({ rounds: 2, seed: 9 });
  });

  it.each([
    [
      { variants: ["sqlite"] },
      'variants: found "sqlite"; allowed: dynoxide-embedded, dynoxide-http,',
    ],
    [{ variants: ["moto", "moto"] }, 'variants: found ["moto","moto"]; allowed: each engine once'],
    [{ memory: [128] }, "memory: found [128]; allowed: nothing: an engine has the whole machine"],
    [{ warm: 10 }, "warm: found 10; allowed: nothing"],
    [
      { untilPrecision: 0.05 },
      "untilPrecision: found 0.05; allowed: nothing: engines are compared over",
    ],
    [{ coldShare: 0.05 }, "coldShare: found 0.05; allowed: nothing: a comparison of engines"],
    [{ invocations: 9 }, "invocations: found 9; allowed: nothing: a comparison of engines"],
  ])("refuse %j", (more, message) => {
    expect(() => engineChoice({ ...options, ...more })).toThrow(message);
  });
});
