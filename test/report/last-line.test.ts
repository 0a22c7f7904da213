import { describe, expect, test } from "vitest";
import type { Sample } from "../../lib/contract/types/contract.ts";
import { fixtureReport } from "./support/fixture-report.ts";

const choice = { target: "local", variants: ["rust", "python"], memoryMb: [128, 512] } as const;

/** The report of samples of about 10 ms; Python's take so many times as long. */
async function reportOf(times: (sample: Sample) => number) {
  const each = (sample: Sample) => {
    const { telemetry, cell, block, sequence } = sample;
    const ms = 10 * (1 + 0.001 * ((block * 7 + sequence * 3) % 11));
    const durationMs = ms * (cell.variant === "python" ? times(sample) : 1);
    const init = telemetry?.initDurationMs === undefined ? {} : { initDurationMs: 1000 };
    return { ...sample, telemetry: { ...telemetry, ...init, durationMs } };
  };
  return await fixtureReport(choice, { each });
}

describe("the last line of a run on a terminal", () => {
  test("is the strongest of what was measured, with the interval of the view", async () => {
    const { lastLine, view } = await reportOf(({ cell }) => (cell.memoryMb === 128 ? 3 : 1.5));
    const [compared] = view.comparisons.variants.filter(
      ({ phase, quantity, operation, cell }) =>
        phase === "warm" &&
        quantity === "durationMs" &&
        operation === "get" &&
        cell.memoryMb === 128,
    );
    const { ratio = 0, low = 0, high = 0, verdict } = compared ?? {};
    expect(verdict).toBe("slower");
    const [times, from, to] = [ratio, low, high].map((value) => value.toFixed(2));
    expect(lastLine).toContain(
      `Python is slower than Rust on a warm call: ${times}× [${from}, ${to}]`,
    );
  });

  test("claims nothing where the run cannot tell", async () => {
    const { lastLine } = await reportOf(({ block }) => (block % 2 === 0 ? 0.5 : 1.9));
    expect(lastLine).toMatch(/^Cannot tell Python from Rust on a warm call: [\d.]+× \[/);
  });

  test("says that both are alike where that is proven", async () => {
    const { lastLine } = await reportOf(() => 1);
    expect(lastLine).toMatch(
      /^Python is the same as Rust on a (?:cold start|warm call): within 5% /,
    );
  });

  const losing = (isLost: (sample: Sample) => boolean) => {
    const each = (sample: Sample): Sample =>
      sample.phase === "warm" && sample.block === 3 && isLost(sample)
        ? { ...sample, rejected: { reason: "result-wrong" } }
        : sample;
    return fixtureReport(choice, { each });
  };

  test("compares no size of which a call was lost, and names the calls that no time counts", async () => {
    const { screen } = await losing(
      ({ cell }) => cell.variant === "python" && cell.memoryMb === 128,
    );
    expect(screen).toMatch(/WARNING: \d+ calls did not return the expected answer\./);
    expect(screen).toMatch(
      /Not compared: \d+ of \d+ warm calls of Python at 128 MB answered wrongly\./,
    );
    expect(screen).toMatch(/Python: cold start [\d.–]+× \w+ at 512 MB/);
  });

  test("says why nothing is compared where every size lost calls", async () => {
    const { lastLine, screen } = await losing(({ cell }) => cell.variant === "python");
    expect(screen).toMatch(/Not compared: \d+ of \d+ warm calls of Python answered wrongly\./);
    const { screen: ofBaseline } = await losing(({ cell }) => cell.variant === "rust");
    expect(ofBaseline).toMatch(/Not compared: \d+ of \d+ warm calls of Rust /);
    expect(lastLine).toBeUndefined();
  });

  test("is absent of one variant", async () => {
    const { lastLine } = await fixtureReport({ ...choice, variants: ["python"] });
    expect(lastLine).toBeUndefined();
  });
});
