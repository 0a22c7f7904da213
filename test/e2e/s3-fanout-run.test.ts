import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import type { FunctionResult } from "../../lib/contract/types/contract.ts";
import { pythonWheels, venvPython } from "../../lib/toolchain/python.ts";
import { foreignFiles } from "../support/native-files.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { expectSound, type FinishedRun, runExperiment } from "./support/local-run.ts";

const folder = temporaryFolder();
let run: FinishedRun;

beforeAll(async () => {
  const choice = ["--memory", "1769", "--cold", "1", "--warm", "3"];
  run = await runExperiment("s3-fanout", choice, join(folder, "run"));
});

const kept = (variant: string, operation: string) =>
  run.samples.filter(
    (sample) =>
      sample.cell.variant === variant &&
      sample.operation === operation &&
      sample.rejected === undefined,
  );
const least = (variant: string, operation: string) =>
  Math.min(...kept(variant, operation).map(({ telemetry }) => telemetry?.durationMs ?? Number.NaN));

describe("s3-fanout on this machine", () => {
  it("is measured without a failure, every object asked for in every sample", () => {
    expectSound(run);
    for (const sample of run.samples) {
      const { itemsCount } = sample.result as FunctionResult;
      expect(itemsCount).toBe(sample.operation === "fanout-of-10" ? 10 : 100);
    }
  });

  it("says on its first lines and in its manifest what lies between function and S3", () => {
    const network = `15 ms a request, give or take up to 3 ms drawn by seed `;
    expect(run.stderr).toContain("S3 is emulated by s3s, TLS 1.3 on loopback");
    expect(run.stderr).toContain(`network: ${network}`);
    expect(run.manifest.machine?.networkProfile).toContain(network);
  });

  it("takes the calls' delays one after the other where they are, and at once where they are not", () => {
    for (const variant of ["python-serial", "rust-serial"]) {
      expect(least(variant, "fanout")).toBeGreaterThan(101 * 13);
    }
    for (const variant of ["python-executor", "python-aioboto3", "rust-concurrent"]) {
      expect(least(variant, "fanout")).toBeLessThan(101 * 13);
    }
  });

  it("comes in Rust within one and a half of ten rounds of the delay", () => {
    expect(least("rust-concurrent", "fanout")).toBeGreaterThan(10 * 12);
    expect(least("rust-concurrent", "fanout")).toBeLessThan(1.5 * 10 * 15);
  });
});

describe("the wheels of aioboto3", () => {
  const requirements = "s3_fanout/aio/requirements.txt";

  it.each(["arm64", "x86_64"] as const)("are those of Lambda's Python on %s", (architecture) => {
    const wheels = pythonWheels(requirements, { architecture, python: "3.13" });
    expect(foreignFiles(wheels, architecture)).toEqual([]);
    const other = architecture === "arm64" ? "x86_64" : "arm64";
    expect(foreignFiles(wheels, other).length, "binary wheels tell them apart").toBeGreaterThan(5);
  });

  it.runIf(process.platform === "linux" && process.arch === "x64")(
    "import here, in the place of the environment's own botocore",
    () => {
      const version = spawnSync(venvPython, [
        "-c",
        "import sys; print(*sys.version_info[:2], sep='.')",
      ]);
      const python = version.stdout.toString().trim();
      const wheels = pythonWheels(requirements, { architecture: "x86_64", python });
      const program =
        "import aioboto3, aiohttp, botocore; from aiohttp import _http_parser;" +
        "print(botocore.__file__, botocore.__version__)";
      const { stdout, stderr } = spawnSync(venvPython, ["-B", "-c", program], {
        cwd: wheels,
        env: { PYTHONPATH: wheels },
        encoding: "utf8",
      });
      expect(stderr).toBe("");
      expect(stdout).toBe(`${join(wheels, "botocore", "__init__.py")} 1.40.61\n`);
    },
  );
});
