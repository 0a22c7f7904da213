import { describe, expect, it } from "vitest";
import { decidingCommand } from "../../bin/run/measure-gate.ts";

const remedy = { kind: "environments", environments: 35, warmCalls: 385 } as const;
const command = (words: string) => decidingCommand(words.split(" "), remedy);

describe("the command that would decide what a gate left open", () => {
  it("is the one that was given, with more environments, and no folder that has a run", () => {
    expect(
      command(
        "measure base.zip head.zip --cold 9 --warm=99 --seed 7 --out runs/a --preset quick --margin 10% --fail-on slower",
      ),
    ).toBe(
      "kelvin measure base.zip head.zip --margin 10% --fail-on slower --preset standard --cold 35 --warm 385",
    );
  });

  it("is quoted for a shell", () => {
    const words = ["measure", "a b.zip", "--expect", `{"name":"it's"}`];
    expect(decidingCommand(words, remedy)).toBe(
      `kelvin measure 'a b.zip' --expect '{"name":"it'\\''s"}' --preset standard --cold 35 --warm 385`,
    );
  });

  it("is the options alone where a run is attached to, or resumed, which names no function", () => {
    expect(command("run --attach --fail-on slower")).toBe("--preset standard --cold 35 --warm 385");
    expect(command("measure --resume runs/a")).toBe("--preset standard --cold 35 --warm 385");
  });
});
