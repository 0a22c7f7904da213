import { describe, expect, it } from "vitest";
import type { Summary } from "../../lib/analysis/summary.ts";
import { plain } from "../../lib/report/document/document.ts";
import { driftNote, timesNote } from "../../lib/report/section/imported.ts";
import { twoRunsNotes } from "../../lib/report/two-runs-document.ts";
import { formatReport } from "../support/report-line.ts";
import { importOf, readText } from "./sources.ts";

/** The import of calls to sizes at times of one day. */
function importOfCalls(...calls: readonly (readonly [time: string, memorySizeMb: number])[]) {
  const lines = calls.map(([time, memorySizeMb], index) => {
    const telemetry = { durationMs: 2.5, memorySizeMb, maxMemoryUsedMb: 38 };
    return `2026-01-05T${time}.000Z ${formatReport(`r${index}`, telemetry)}`;
  });
  return importOf([readText(lines.join("\n"))], { variant: "hello" });
}

describe("when an import's calls were made", () => {
  it("is in its manifest, by cell", () => {
    const { manifest } = importOfCalls(["10:00:00", 128], ["09:00:00", 128], ["12:30:00", 256]);
    expect(manifest.imported?.windows).toEqual([
      {
        cellId: "hello-arm64-128",
        ...{ from: "2026-01-05T09:00:00.000Z", to: "2026-01-05T10:00:00.000Z" },
      },
      {
        cellId: "hello-arm64-256",
        ...{ from: "2026-01-05T12:30:00.000Z", to: "2026-01-05T12:30:00.000Z" },
      },
    ]);
  });

  it("is said before any number where two cells were called at different times", () => {
    const notes = timesNote(
      importOfCalls(["09:00:00", 128], ["10:00:00", 128], ["12:30:00", 256]).manifest,
    );
    expect(notes.map(({ text }) => plain(text))).toEqual([
      "The calls are of different times: hello-arm64-128 2026-01-05 09:00 to 10:00 UTC, hello-arm64-256 2026-01-05 12:30 UTC. What differs between hours or days is in every ratio of the two.",
    ]);
    const beside = importOfCalls(
      ["09:00:00", 128],
      ["09:10:00", 256],
      ["10:00:00", 128],
      ["10:10:00", 256],
    );
    expect(timesNote(beside.manifest)).toEqual([]);
  });

  it("is named by a comparison of two imports", () => {
    const notes = twoRunsNotes({
      ...{ before: "a", after: "b", margin: 0.05, changes: [], unshared: [], notCompared: [] },
      differences: [
        {
          what: "time of the calls",
          before: "2026-01-05 10:00 UTC",
          after: "2026-01-05 18:00 UTC",
        },
      ],
      imported: "log-streams",
    });
    expect(notes.map(({ text }) => plain(text))).toContain(
      "The calls are of different times: 2026-01-05 10:00 UTC, and 2026-01-05 18:00 UTC. What differs between hours or days is in every ratio: compare the same hours.",
    );
  });
});

describe("durations of an import that drift", () => {
  const series = (kind?: "drift" | "wide-interval") =>
    ({
      durationMs: { n: 20 },
      durationWarnings: kind === undefined ? [] : [{ kind }],
    }) as unknown as Summary["series"][number];
  const { manifest } = importOfCalls(["10:00:00", 128]);
  const noted = (imported: boolean, ...kinds: readonly Parameters<typeof series>[0][]) =>
    driftNote({
      manifest: (imported ? manifest : {}) as Summary["manifest"],
      series: kinds.map(series),
    }).map(({ text }) => plain(text));

  it("are named before any number, and those of our own runs, which share their blocks, are not", () => {
    expect(noted(true, "drift", undefined, "wide-interval")).toEqual([
      expect.stringMatching(/^Durations drift in 1 of 3 series\. Intervals take environments as /),
    ]);
    expect(noted(true, undefined, "wide-interval")).toEqual([]);
    expect(noted(false, "drift")).toEqual([]);
  });
});
