import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Telemetry } from "../../lib/contract/types/contract.ts";
import { readSource } from "../../lib/import/read-source.ts";
import { TextDecoding } from "../../lib/import/text-decoding.ts";

// Whatever becomes of a log on its way to us, its figures are read as they were or refused by form and line.

const hundredths = fc.integer({ min: 1, max: 90_000_000 }).map((value) => value / 100);

/** What Lambda prints of an invocation; one in three is cold. */
const reported: fc.Arbitrary<Telemetry> = fc
  .record({
    durationMs: hundredths,
    billedDurationMs: fc.integer({ min: 1, max: 1_000_000 }),
    memorySizeMb: fc.integer({ min: 128, max: 10_240 }),
    maxMemoryUsedMb: fc.integer({ min: 1, max: 10_240 }),
    initDurationMs: fc.option(hundredths, { nil: undefined, freq: 3 }),
  })
  .map(({ initDurationMs, ...rest }) =>
    initDurationMs === undefined ? rest : { ...rest, initDurationMs },
  );

function reportLine(id: string, { initDurationMs, ...each }: Telemetry): string {
  const { durationMs, billedDurationMs, memorySizeMb, maxMemoryUsedMb } = each;
  const init =
    initDurationMs === undefined ? "" : `Init Duration: ${initDurationMs.toFixed(2)} ms\t`;
  return `REPORT RequestId: ${id}\tDuration: ${durationMs.toFixed(2)} ms\tBilled Duration: ${billedDurationMs} ms\tMemory Size: ${memorySizeMb} MB\tMax Memory Used: ${maxMemoryUsedMb} MB\t${init}`;
}

interface Log {
  readonly figures: ReadonlyMap<string, Telemetry>;
  readonly text: string;
}

const log: fc.Arbitrary<Log> = fc
  .array(fc.tuple(fc.uuid(), reported), { minLength: 1, maxLength: 5 })
  .map((calls) => {
    const figures = new Map(calls);
    const lines = [...figures].flatMap(([id, each]) => [
      `START RequestId: ${id} Version: $LATEST`,
      `END RequestId: ${id}`,
      reportLine(id, each),
    ]);
    return { figures, text: lines.join("\n") };
  });

type Mangle = (text: string) => string;

function wrappedAt(width: number): Mangle {
  const line = new RegExp(`.{1,${width}}`, "g");
  return (text) => text.replaceAll(line, "$&\n").replaceAll("\n\n", "\n");
}

function wrappedBetweenWords(width: number): Mangle {
  const words = new RegExp(`([^\\n]{1,${width}})(?:[ \\t]+|$)`, "gm");
  return (text) => text.replaceAll(words, "$1\n").replaceAll(/\n+/g, "\n");
}

/** A cold start that is cut off exactly behind Max Memory Used is a warm call in every letter: it is left whole. */
function cutAt(width: number): Mangle {
  return eachLine((line) => {
    const cut = line.slice(0, width);
    return /Max Memory Used: \d+ MB\s*$/.test(cut) ? line : cut;
  });
}

const eachLine =
  (change: (line: string, index: number) => string): Mangle =>
  (text) =>
    text
      .split("\n")
      .map((line, index) => change(line, index))
      .join("\n");

/** What may lose something: it is read as it was, or refused. */
const harmful: fc.Arbitrary<Mangle> = fc.oneof(
  fc.integer({ min: 40, max: 200 }).map(wrappedAt),
  fc.integer({ min: 40, max: 200 }).map(wrappedBetweenWords),
  fc.integer({ min: 40, max: 250 }).map(cutAt),
  fc.constantFrom<Mangle>(
    (text) => text.replaceAll(/(\d)\.(\d\d) ms/g, "$1,$2 ms"),
    (text) => text.replaceAll(/\b(\d{1,3})(\d{3})\b(?=[. ])/g, "$1,$2"),
    (text) => text.replaceAll(/\b(\d{1,3})(\d{3})\b(?=[. ])/g, "$1.$2"),
    (text) => text.replaceAll(/\b(\d{1,3})(\d{3})\b(?=[. ])/g, "$1 $2"),
    (text) => text.replaceAll(" ms", "ms"),
    (text) => text.replaceAll(/:\s/g, ":"),
    (text) => text.replaceAll(" ", ""),
    (text) => text.replaceAll("\n", "\r"),
    (text) => text.replaceAll("\n", " "),
    (text) => text.toLowerCase(),
    eachLine((line, index) => `${index}: ${line}`),
    eachLine((line) => `"${line}",`),
  ),
);

/** What was read, and of what was not that it is said by form and line. */
function held({ figures }: Log, text: string): number {
  let source: ReturnType<typeof readSource>;
  try {
    source = readSource({ name: "a.log", text });
  } catch (error) {
    expect(String(error)).toMatch(/a\.log/);
    return 0;
  }
  for (const { requestId = "", telemetry } of source.invocations) {
    expect(telemetry, text).toEqual(figures.get(requestId));
  }
  const left = figures.size - new Set(source.invocations.map(({ requestId }) => requestId)).size;
  if (left > 0) expect(source.warnings.join(), text).toMatch(/a\.log line \d+: .*REPORT/);
  return source.invocations.length;
}

describe("a log that something became of", () => {
  it("is read as it was or refused by its line, whatever was done to its lines and digits", () => {
    fc.assert(
      fc.property(log, harmful, (made, mangle) => {
        held(made, mangle(made.text));
      }),
      { numRuns: 400 },
    );
  });

  it("is the same text in UTF-8, and in UTF-16 with a byte order mark, wherever it is cut behind that", () => {
    const bigEndian = (text: string) => Buffer.from(text, "utf16le").swap16();
    const encodings: readonly ((text: string) => Buffer)[] = [
      (text) => Buffer.from(text),
      (text) => Buffer.from(`\uFEFF${text}`),
      (text) => Buffer.from(`\uFEFF${text}`, "utf16le"),
      (text) => bigEndian(`\uFEFF${text}`),
    ];
    fc.assert(
      fc.property(
        log,
        fc.constantFrom(...encodings),
        fc.integer({ min: 3, max: 40 }),
        (made, encoded, cut) => {
          const bytes = encoded(made.text);
          const decoding = new TextDecoding();
          const text = [bytes.subarray(0, cut), bytes.subarray(cut)].map((part) =>
            decoding.add(part),
          );
          expect(text.join("") + decoding.end()).toBe(made.text);
        },
      ),
    );
  });
});
