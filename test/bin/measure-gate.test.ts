import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { exitCodes } from "../../bin/exit-codes.ts";
import { Progress } from "../../bin/progress.ts";
import { decidingCommand, measureGate } from "../../bin/run/measure-gate.ts";
import type { Summary } from "../../lib/analysis/summary.ts";
import { captureOutput } from "../support/captured-output.ts";

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

it("says of a slower build whose calls were lost that they are not in its ratio", () => {
  const sample = join(import.meta.dirname, "..", "..", "docs", "sample-report", "summary.json");
  const summary = JSON.parse(readFileSync(sample, "utf8")) as Summary;
  const judge = (rejected: Summary["manifest"]["counts"]["rejected"]) => {
    const { manifest } = summary;
    const counts = { ...manifest.counts, rejected };
    const output = captureOutput();
    const options = { failOn: "slower", args: [], progress: new Progress() } as const;
    const code = measureGate({ ...summary, manifest: { ...manifest, counts } }, 0, options);
    return { code, slower: output.stderr.split("\n").filter((line) => line.includes("slower")) };
  };
  const sound = judge({});
  expect(sound.code).toBe(exitCodes.slower);
  expect(sound.slower[0]).toMatch(/^FAIL: .* is slower than .*: [\d.]+× \[/);
  const lost = judge({ error: 3 });
  expect(lost.code).toBe(exitCodes.slower);
  expect(lost.slower[0]).toMatch(/^FAIL: .* Not compared in full: 3 calls failed\. /);
});
