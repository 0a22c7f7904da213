import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { leftOutReasons } from "../../lib/contract/exclusion-reasons.ts";
import { folderPerTest } from "../support/temporary-folder.ts";
import { isRelease } from "./support/release.ts";

const fileOf = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const kelvin = fileOf("../../bin/kelvin.ts");
const manyCells = fileOf("../report/support/many-cells.ts");
/** Said by the process itself when it ends. */
const saysMemory =
  'data:text/javascript,process.on("exit",()=>console.error("maxRSS",process.resourceUsage().maxRSS))';

const folder = folderPerTest();

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly maxRssMb: number;
}

async function run(words: readonly string[], input: Iterable<Buffer> = []): Promise<Ended> {
  const child = spawn(process.execPath, ["--import", "tsx", "--import", saysMemory, ...words]);
  const closed = once(child, "close");
  const written = pipeline(Readable.from(input), child.stdin).catch((error) => {
    // It has said why, and does not read the rest.
    if (error.code !== "EPIPE") throw error;
  });
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), written]);
  const [code] = await closed;
  const maxRssMb = Number(/maxRSS (\d+)/.exec(stderr)?.[1]) / 1024;
  return { code, stdout, stderr, maxRssMb };
}

async function importStdin(input: Iterable<Buffer>): Promise<Ended> {
  const what = ["--variant", "a", "--architecture", "arm64", "--region", "us-east-1"];
  return await run([kelvin, "import", "-", ...what, "--out", folder("run")], input);
}

const otherLine = `2026-01-05T10:00:00.000Z INFO ${"an application's own words ".repeat(3)}\n`;

/** Reports, and so many other lines before each. */
function* logOf(reports: number, linesBefore: number): Generator<Buffer> {
  const perPiece = 1000;
  const before = otherLine.repeat(linesBefore);
  for (let first = 0; first < reports; first += perPiece) {
    const lines = Array.from({ length: perPiece }, (_, index) => reportLine(first + index));
    yield Buffer.from(lines.map((line) => before + line).join(""));
  }
}

function reportLine(n: number): string {
  const id = `6f2b1c7e-0000-4000-8000-${String(n).padStart(12, "0")}`;
  const init = n % 100 === 0 ? `Init Duration: ${100 + (n % 17)}.10 ms\t` : "";
  return `REPORT RequestId: ${id}\tDuration: ${2 + (n % 20)}.25 ms\tBilled Duration: 30 ms\tMemory Size: 128 MB\tMax Memory Used: 30 MB\t${init}\n`;
}

describe("an import from the standard input", () => {
  const reports = isRelease ? 50_000 : 5_000;
  it(`of ${reports * 200} lines becomes a report in under 1 GB`, async () => {
    const { code, stderr, maxRssMb } = await importStdin(logOf(reports, 199));
    expect(stderr).toContain(
      `stdin (report): ${reports * 200} read, ${reports} imported; skipped: ${reports * 199} other lines`,
    );
    expect(code).toBe(0);
    expect(maxRssMb).toBeLessThan(1000);
    expect(readdirSync(folder("run"))).toContain("report.html");
  });

  it("of a single line of 600 MB ends in an error that says so, in under 1 GB", async () => {
    const piece = Buffer.alloc(1 << 20, "x");
    const { code, stderr, maxRssMb } = await importStdin(Array<Buffer>(600).fill(piece));
    expect(stderr).toContain(`${leftOutReasons.longLine}: 1`);
    expect(code).toBe(2);
    expect(maxRssMb).toBeLessThan(1000);
    expect(readdirSync(folder())).toEqual([]);
  });

  it("of more reports than a run may have ends in an error with the limit", async () => {
    const { code, stderr, maxRssMb } = await importStdin(logOf(400_000, 0));
    expect(stderr).toContain(
      'stdin: found "more than 200000 reports of invocations"; allowed: at most 200000',
    );
    expect(code).toBe(2);
    expect(maxRssMb).toBeLessThan(1000);
    expect(readdirSync(folder())).toEqual([]);
  });

  it("of a CSV that is too large to be read whole ends in an error with the limit", async () => {
    const header = Buffer.from("@duration,@initDuration\n");
    const rows = Buffer.from("2.5,\n".repeat(100_000));
    const { code, stderr } = await importStdin([header, ...Array<Buffer>(80).fill(rows)]);
    expect(stderr).toContain(
      'stdin: found "more than that (read as insights)"; allowed: at most 33554432 characters',
    );
    expect(code).toBe(2);
  });
});

it("a report of as many cells as a plan may have is made in under 60 s of CPU time and 1 GB", async () => {
  const { stdout } = await run([manyCells, "100"]);
  const rendered = JSON.parse(stdout);
  expect(rendered.cells).toBe(300);
  expect(rendered.cpuSeconds).toBeLessThan(60);
  expect(rendered.maxRssMb).toBeLessThan(1000);
  expect(rendered.htmlBytes).toBeGreaterThan(100_000);
});
