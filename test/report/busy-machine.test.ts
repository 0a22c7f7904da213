import { describe, expect, it } from "vitest";
import { isQuietNow, noiseFinding } from "../../lib/analysis/machine-noise.ts";
import type { Manifest, NoiseInterval } from "../../lib/contract/types/contract.ts";
import { contractProblem } from "../../lib/contract/validate.ts";
import { type FixtureChoice, fixtureManifest, fixturePlan } from "./support/fixture.ts";
import { fixtureReport } from "./support/fixture-report.ts";

const choice = {
  ...{ target: "local", memoryMb: [512], cold: 6, warm: 60, operations: ["get"] },
} as const satisfies FixtureChoice;

const interval = (block: number, otherCpus: number, more: Partial<NoiseInterval> = {}) => ({
  ...{ block, seconds: 10, otherCpus, stolenCpus: 0, load: 6.1, ...more },
});

const reportOf = (intervals: NoiseInterval[]) =>
  fixtureReport(choice, { manifest: { noise: { intervals } } });

describe("a machine with other work while it measures", () => {
  it("is said in the first line, with what others took, and in the comment", async () => {
    const { headline, screen, comment, files } = await reportOf([
      interval(0, 1.2),
      interval(1, 1.6),
    ]);
    const [, first] = headline.split("\n");
    expect(first).toMatch(/^WARNING: This machine was busy \(others took 1\.4 of its 2 CPUs/);
    expect(screen).toContain("(others took 1.4 of its 2 CPUs, 1.6 at most).");
    expect(files["report.md"]).toContain(
      "Don't rely on small differences (--wait-for-quiet helps). Load: 6.1.",
    );
    expect(comment).toContain("> **Warning:** **This machine was busy");
    expect(screen).not.toContain("one quiet machine");
  });

  it("is busy where the hypervisor took the CPUs, or for a part of the time", () => {
    const busy = (intervals: NoiseInterval[]) => {
      const { machine } = fixtureManifest(fixturePlan(choice));
      return noiseFinding({ noise: { intervals }, ...(machine && { machine }) })?.isBusy;
    };
    expect(busy([interval(0, 0, { stolenCpus: 0.5 })])).toBe(true);
    expect(busy([interval(0, 0), interval(1, 0), interval(2, 2)])).toBe(true);
    expect(busy([...Array(20).fill(interval(0, 0.05)), interval(20, 2)])).toBe(false);
    expect(busy([])).toBeUndefined();
    // What --wait-for-quiet waits for is what such an interval of a run would be called.
    for (const otherCpus of [0.09, 0.1]) {
      const taken = { otherCpus, stolenCpus: 0.1 };
      expect(isQuietNow(taken, 2)).toBe(busy([interval(0, otherCpus, taken)]) === false);
    }
  });

  it("is called quiet where it was, and neither where nothing was read", async () => {
    const { screen } = await reportOf([interval(0, 0.02), interval(1, 0.06)]);
    expect(screen).toContain(
      "simulated on one quiet machine (others took 2% of its CPUs); check on AWS",
    );
    expect(screen).not.toContain("busy");
    const { headline } = await fixtureReport(choice);
    expect(headline).not.toMatch(/quiet|busy/);
  });

  it("is said to have changed its speed where it did", async () => {
    const { speed } = fixtureManifest(fixturePlan(choice));
    if (speed === undefined) throw new Error("the fixture has no speed");
    const { handshakeMs, interpreterMs = 0, allocationMs = 0 } = speed;
    const at = (block: number, factor: number) =>
      interval(block, 0, {
        speed: {
          ...{ ...speed, handshakeMs: handshakeMs * factor },
          ...{ interpreterMs: interpreterMs * factor, allocationMs: allocationMs * factor },
        },
      });
    const { screen } = await reportOf([at(0, 1), at(1, 1.9)]);
    expect(screen).toContain(
      "WARNING: Machine speed varied up to 1.9× in this run: trust ratios over times.",
    );
    expect((await reportOf([at(0, 1), at(1, 1.2)])).screen).not.toContain("speed varied");
  });

  it("is in the manifest, by its contract", async () => {
    const { files } = await reportOf([interval(0, 1.2, { waitingShare: 0.4 })]);
    const manifest = JSON.parse(files["manifest.json"] as string) as Manifest;
    expect(manifest.noise?.intervals).toHaveLength(1);
    expect(contractProblem("manifest", manifest)).toBeUndefined();
  });
});
