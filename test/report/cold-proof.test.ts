import { describe, expect, it } from "vitest";
import type { Plan, Sample } from "../../lib/contract/types/contract.ts";
import { functionsSubject } from "../../lib/plan/functions-subject.ts";
import { type FixtureChoice, fixturePlan, fixtureSamples } from "./support/fixture.ts";
import { fixtureReport } from "./support/fixture-report.ts";

const choice: FixtureChoice = { target: "aws", memoryMb: [128], variants: ["python"] };
const plan: Plan = { ...fixturePlan({ ...choice, replica: false }), ownResults: true };

/** As a user's function on AWS leaves them: no result, and a log stream where it was found. */
function samplesOf(hasStream: (block: number) => boolean): readonly Sample[] {
  return [...fixtureSamples(plan)].map(({ result: _, ...sample }) => ({
    ...sample,
    ...(hasStream(sample.block) && { environmentId: `2026/11/01/f[$LATEST][${sample.block}]` }),
  }));
}

async function reportOf(samples: readonly Sample[], of: Plan = plan) {
  const replaced = { plan: of, samples, subject: functionsSubject(of) };
  const { markdown, view } = await fixtureReport({ ...choice, replica: false }, replaced);
  return { said: /^Cold starts: .*$/m.exec(markdown)?.[0], coldProof: view.quality.coldProof };
}

const environments = plan.blocks.length;

describe("what proves the cold starts of a user's function on AWS", () => {
  it("is said with counts: Init and a log stream, or Init alone", async () => {
    expect(await reportOf(samplesOf((block) => block > 1))).toEqual({
      said: `Cold starts: ${environments - 2} proved by Init and a log stream of their own; 2 by Init alone, because their log streams could not be read.`,
      coldProof: { logStream: environments - 2, initAlone: 2, reasons: [] },
    });
    expect((await reportOf(samplesOf((block) => block !== 3))).said).toContain(
      "; 1 by Init alone, because its log stream could not be read.",
    );
  });

  it("says why log streams are not known, the commonest reason first", async () => {
    const denied = "the log could not be read: AccessDeniedException: no";
    const late = "not in /aws/lambda/f at 4 looks";
    const samples = samplesOf((block) => block > 2).map((sample): Sample => {
      const environmentUnknown = sample.block === 0 ? denied : late;
      return sample.block > 2 ? sample : { ...sample, environmentUnknown };
    });
    const { said, coldProof } = await reportOf(samples);
    expect(said).toContain(
      `3 by Init alone, because their log streams could not be read: ${late} (2); ${denied} (1).`,
    );
    expect(coldProof).toMatchObject({
      reasons: [
        { reason: late, samples: 2 },
        { reason: denied, samples: 1 },
      ],
    });
  });

  it("is one of the two where all have the same", async () => {
    expect((await reportOf(samplesOf(() => true))).said).toBe(
      `Cold starts: ${environments} proved by Init and a log stream of their own.`,
    );
    expect((await reportOf(samplesOf(() => false))).said).toBe(
      `Cold starts: ${environments} proved by Init alone, because their log streams could not be read.`,
    );
  });

  it("counts no sample that was rejected, nor one whose stream another environment had", async () => {
    const rejected = samplesOf(() => true).map(
      (sample): Sample =>
        sample.block === 0 && sample.phase === "cold"
          ? { ...sample, rejected: { reason: "init-missing" } }
          : sample,
    );
    const oneLess = { logStream: environments - 1, initAlone: 0, reasons: [] };
    expect((await reportOf(rejected)).coldProof).toEqual(oneLess);
    const shared = samplesOf(() => true).map((sample) =>
      sample.block === 1 ? { ...sample, environmentId: "2026/11/01/f[$LATEST][0]" } : sample,
    );
    expect((await reportOf(shared)).coldProof).toEqual(oneLess);
  });

  it("is not said of other runs", async () => {
    const samples = samplesOf(() => true);
    const { ownResults: _, ...ours } = plan;
    expect(await reportOf(samples, ours)).toEqual({ said: undefined, coldProof: undefined });
    const local = samples.map((sample): Sample => ({ ...sample, target: "local" }));
    const here = await reportOf(local, { ...plan, target: "local" });
    expect(here).toEqual({ said: undefined, coldProof: undefined });
  });
});
