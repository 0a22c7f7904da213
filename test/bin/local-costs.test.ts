import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { local } from "../../bin/commands/local.ts";
import { openLocalSession } from "../../lib/local/local-session.ts";
import { buildForLocalRun } from "../../lib/toolchain/build-local.ts";
import { CapturedOutput } from "../support/captured-output.ts";
import { FakeTarget } from "../support/fake-target.ts";

// What takes a compiler and processes; the rest of the command is as it is.
vi.mock("../../lib/toolchain/build-local.ts", { spy: true });
vi.mock("../../lib/local/local-session.ts", { spy: true });
vi.mock("../../lib/toolchain/rust-versions.ts");

const words = { experiment: "compute", preset: "quick", variants: "python", cold: "2", warm: "20" };
const traffic = { coldShare: "12.5%", invocations: "2500" };

let folder: string;
let out: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "kelvin-local-costs-"));
  out = join(folder, "run");
  new CapturedOutput();
  vi.mocked(buildForLocalRun).mockResolvedValue({ pythonVersion: "3.13.0" });
  vi.mocked(openLocalSession).mockImplementation(async () => {
    const stop = async () => {};
    return { target: new FakeTarget() as never, stop, close: stop };
  });
});
afterEach(() => {
  vi.clearAllMocks();
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true });
});

const reportText = () => readFileSync(join(out, "report.md"), "utf8");

describe("the costs in the report of kelvin local", () => {
  it("are those of a million invocations a month, one in a hundred cold, where no words say more", async () => {
    expect(await local({ ...words, out })).toBe(0);
    expect(reportText()).toContain("USD, 1,000,000 a month");
    expect(reportText()).toContain("at 1 % cold");
  });

  it("are those of the traffic that the words say", async () => {
    expect(await local({ ...words, ...traffic, out })).toBe(0);
    expect(reportText()).toContain("USD, 2,500 a month");
    expect(reportText()).toContain("at 12.50 % cold");
  });

  it("are the words' own, too, where all was measured already", async () => {
    await local({ ...words, out });
    expect(await local({ experiment: "dynamodb", preset: "quick", ...traffic, resume: out })).toBe(
      0,
    );
    expect(reportText()).toContain("USD, 2,500 a month");
    expect(openLocalSession).toHaveBeenCalledTimes(1);
  });

  it.each([
    [{ coldShare: "2" }, 'cold-share: found "2"; allowed: a share above 0 % and below 100 %'],
    [{ invocations: "0" }, 'invocations: found "0"; allowed: a whole number a month'],
  ])("are refused before anything is built where they cannot be: %j", async (more, message) => {
    await expect(local({ ...words, ...more, out })).rejects.toThrow(message);
    await expect(local({ ...words, ...more, experiment: "all", out })).rejects.toThrow(message);
    expect(buildForLocalRun).not.toHaveBeenCalled();
  });
});
