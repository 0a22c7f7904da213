import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import type { FunctionResult, Sample } from "../../lib/contract/types/contract.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { expectSound, type FinishedRun, runExperiment } from "./support/local-run.ts";

const folder = temporaryFolder();

let run: FinishedRun;

beforeAll(async () => {
  // ring and no-jitter would compile the SDK once more each.
  const variants = "breakdown,unwarmed,warmed,tuned";
  const cells = ["--memory", "128", "--variants", variants, "--cold", "3", "--warm", "0"];
  run = await runExperiment("first-request", cells, join(folder, "run"));
});

const of = (variant: string, phase: Sample["phase"]) =>
  run.samples.filter((sample) => sample.cell.variant === variant && sample.phase === phase);
const resultsOf = (variant: string, phase: Sample["phase"]) =>
  of(variant, phase).map((sample) => sample.result as FunctionResult);
const fastest = (variant: string, phase: Sample["phase"]) =>
  Math.min(...of(variant, phase).map(({ telemetry }) => telemetry?.durationMs ?? Number.NaN));

describe("the first request on this machine", () => {
  it("is measured without a failure, each sample by its contract", () => {
    expectSound(run);
    expect(run.manifest.counts.rejected).toEqual({});
  });

  it("spends its time in the first handshake of a process, and not in a handshake", () => {
    // The quickest of three: another process's turn makes a handshake longer, nothing makes it shorter.
    const handshakeMs = (phase: Sample["phase"], connection: number) =>
      Math.min(
        ...resultsOf("breakdown", phase).map(
          ({ connections }) => connections?.[connection]?.tlsMs ?? Number.NaN,
        ),
      );
    expect(handshakeMs("cold", 0)).toBeGreaterThan(5 * handshakeMs("cold", 1));
    expect(handshakeMs("second", 0)).toBeLessThan(5 * handshakeMs("second", 1));
  });

  it.each(["warmed", "tuned"])("is several times as quick with %s", (variant) => {
    expect(fastest("unwarmed", "cold")).toBeGreaterThan(3 * fastest(variant, "cold"));
  });

  it("was warmed up where a variant does so, without an error", () => {
    for (const variant of ["warmed", "tuned"]) {
      for (const { warmupMs, warmupError } of resultsOf(variant, "cold")) {
        expect(warmupMs).toBeGreaterThan(0);
        expect(warmupError).toBeUndefined();
      }
    }
    for (const result of resultsOf("unwarmed", "cold"))
      expect(result).not.toHaveProperty("warmupMs");
  });

  it("says what each process was built as", () => {
    const providers = ["unwarmed", "tuned"].flatMap((variant) =>
      resultsOf(variant, "cold").map(({ build }) => `${variant}: ${build?.cryptoProvider}`),
    );
    expect(new Set(providers)).toEqual(new Set(["unwarmed: aws-lc", "tuned: ring"]));
  });
});
