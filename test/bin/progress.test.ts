import { describe, expect, it, vi } from "vitest";
import {
  buildProgress,
  fileProgress,
  formatDuration,
  Progress,
  sampleProgress,
} from "../../bin/progress.ts";
import type { Sample } from "../../lib/contract/types/contract.ts";

function progressOn(isTTY: boolean, isVerbose = false) {
  const written: string[] = [];
  const stream = { isTTY, columns: 60, write: (text: string) => written.push(text) };
  return {
    written,
    progress: new Progress(stream as unknown as NodeJS.WriteStream, { isVerbose }),
  };
}

const sample = {
  block: 2,
  operation: "get",
  phase: "warm",
  cell: { id: "rust-arm64-128" },
} as Sample;

describe("progress", () => {
  it("tells what is built, how many crates, and for how long", () => {
    const { written, progress } = progressOn(false);
    const told = buildProgress(progress);
    told({ label: "rust (release)", state: "started" });
    told({ label: "rust (release)", state: "working", detail: "Compiling h2 v0.4.1 (path)" });
    vi.spyOn(performance, "now").mockReturnValue(performance.now() + 65_000);
    told({ label: "rust (release)", state: "working", detail: "Compiling syn v2.0.1" });
    told({ label: "rust (release)", state: "done" });
    expect(written).toEqual([
      "building rust (release)\n",
      "building rust (release): 2 crates, 1 min 5 s, syn v2.0.1\n",
      "built rust (release) in 1 min 5 s\n",
    ]);
  });

  it("says of a step that had nothing to do that all is there", () => {
    const { written, progress } = progressOn(false);
    const told = buildProgress(progress);
    told({ label: "Python environment", state: "started" });
    told({ label: "Python environment", state: "done" });
    expect(written).toEqual(["building Python environment\n", "Python environment: ready\n"]);
  });

  it("tells samples done of those planned, and the time left", () => {
    const { written, progress } = progressOn(false);
    sampleProgress(progress, 100, 40)(sample);
    expect(written.join("")).toMatch(/^41 of 100 samples, about \d+ s left\n$/);
  });

  it("draws a bar on a terminal, full only at the end, with the time left", () => {
    const { written, progress } = progressOn(true);
    let nowMs = 1000;
    vi.spyOn(performance, "now").mockImplementation(() => nowMs);
    const told = sampleProgress(progress, 200, 100);
    for (let done = 1; done <= 100; done += 1) {
      nowMs += 250;
      told(sample);
    }
    const bars = written.filter((text) => text.startsWith("["));
    expect(bars[0]).toBe("[██████████░░░░░░░░░░] 50%  25 s left");
    expect(bars[49]).toBe("[███████████████░░░░░] 75%  13 s left");
    expect(bars.at(-1)).toBe("[████████████████████] 100%  1 s left");
    expect(bars.at(-2)).toMatch(/^\[█{19}░\] 99%/);
  });

  it("tells where it is only to those who asked for details", () => {
    const { written, progress } = progressOn(false, true);
    sampleProgress(progress, 100, 40)(sample);
    expect(written.join("")).toMatch(
      /^41 of 100 samples, about \d+ s left \(block 3, rust-arm64-128/,
    );
  });

  it("tells no time while all calls so far were cold, which are longer than the others", () => {
    const { written, progress } = progressOn(true);
    const told = sampleProgress(progress, 100, 0);
    told({ ...sample, block: 0, phase: "cold" });
    expect(written.join("")).toBe("[░░░░░░░░░░░░░░░░░░░░] 1%");
  });

  it("tells files done of those there are, those that were fetched, and the time left", () => {
    const { written, progress } = progressOn(false);
    fileProgress(progress, 200)(1);
    expect(written.join("")).toMatch(/^1 of 200 files, 1 fetched, about \d+ s left\n$/);
  });

  it("writes no control sequence where there is no terminal, and seldom", () => {
    const { written, progress } = progressOn(false);
    for (let call = 0; call < 50; call += 1) progress.show("again");
    progress.end();
    expect(written).toEqual(["again\n"]);
  });

  it("redraws one line on a terminal, cut to its width", () => {
    const { written, progress } = progressOn(true);
    progress.show("x".repeat(200));
    progress.end();
    expect(written).toEqual(["x".repeat(59), "\r\u001b[2K"]);
  });

  it("spells a span of time for a reader", () => {
    expect([850, 42_000, 200_000].map(formatDuration)).toEqual(["850 ms", "42 s", "3 min 20 s"]);
  });
});
