import { describe, expect, it } from "vitest";
import { cold, ids, readText as read, record, start, warm } from "./sources.ts";

// Logs whose figures are clear and whose meaning is not: the doubt is named.

const full = (text: string) => text.replace(/Used: \d+/, "Used: 128");
const emulated = `REPORT RequestId: ${ids[0]}  Init Duration: 0.31 ms  Duration: 73.16 msBilled Duration: 100 ms  Memory Size: 3008 MB    Max Memory Used: 3008 MB`;
const early = {
  type: "platform.initStart",
  record: { initializationType: "provisioned-concurrency" },
};
const timedAt = (timestamp: unknown) => JSON.stringify([{ timestamp, message: warm }]);

describe("a warning names", () => {
  it.each([
    [
      "versions that count together",
      [
        start(ids[0]).replace("$LATEST", "3"),
        cold,
        start(ids[1]).replace("$LATEST", "4"),
        warm,
      ].join("\n"),
      "a.log: calls of several versions (3, 4) are in it and count together",
    ],
    [
      "more versions than it lists",
      [1, 2, 3, 4, 5, 6, 7]
        .map((n) => start(`r${n}`).replace("$LATEST", `${n}`))
        .concat(warm)
        .join("\n"),
      "a.log: calls of several versions (1, 2, 3, 4, 5 and 2 more) are in it",
    ],
    [
      "Inits that no caller waited for",
      [early, early, record(ids[0])].map((each) => JSON.stringify(each)).join("\n"),
      "a.log: 2 Inits were made before any call came",
    ],
    ["reports of local emulators", emulated, "a.log: a local emulator (sam local or the Runtime"],
    [
      "reports as local emulators print them",
      full(`${cold}\n${full(warm)}`),
      "a.log: Max Memory Used equals Memory Size in every report, as LocalStack",
    ],
    [
      "failures that no column tells",
      "@duration,@initDuration\n2.5,",
      "a.log: no column (@message or record.status) tells which calls failed",
    ],
    [
      "a time of a spreadsheet",
      `@timestamp,@message\n05/01/2026 10:00,"${warm}"`,
      "a.log line 2: the time ",
    ],
    [
      "a time in seconds",
      timedAt(1_767_607_200),
      "a.log line 1: the time 1767607200 is neither in the",
    ],
    [
      "a time in microseconds",
      timedAt(1_767_607_200_154_000),
      "a.log line 1: the time 1767607200154000 is",
    ],
    [
      "a time that is none",
      timedAt("today"),
      'a.log line 1: the time "today" is neither in the form of',
    ],
  ])("%s", (_, text, begin) => {
    const { warnings, invocations } = read(text);
    expect(warnings).toEqual([expect.stringContaining(begin)]);
    if (begin.includes("the time")) expect(invocations[0]).not.toHaveProperty("reportedAt");
  });

  it("none of these where there is no doubt", () => {
    const { warnings, invocations } = read(
      [start(ids[0]), cold, start(ids[1]), full(warm)].join("\n"),
    );
    expect(warnings).toEqual([]);
    expect(invocations.some(({ isEmulated }) => isEmulated)).toBe(false);
  });
});

it.each(["2026-01-05T10:00:00.154", "2026-01-05 10:00:00,154 UTC", "2026-01-05T11:00:00.154+0100"])(
  "a time is UTC unless it has a zone, wherever it is read: %s",
  (time) => {
    expect(read(timedAt(time)).invocations[0]?.reportedAt).toBe("2026-01-05T10:00:00.154Z");
  },
);
