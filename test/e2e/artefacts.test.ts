import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Cell } from "../../lib/contract/types/contract.ts";
import { validated } from "../../lib/contract/validate.ts";
import { experimentById } from "../../lib/experiments/catalogue.ts";
import {
  createSeededTable,
  type EmulatedService,
  startEmulatedService,
} from "../../lib/local/emulated-services.ts";
import { localArtefacts, localCommands, localTableName } from "../../lib/local/local-functions.ts";
import { LocalTarget } from "../../lib/local/local-target.ts";
import { floorCell } from "../../lib/local/machine.ts";
import type { Architecture, Experiment, Variant } from "../../lib/plan/experiment.ts";
import { seedItems } from "../../lib/plan/function-data.ts";
import {
  buildForLocalRun,
  buildRustBinaries,
  emulatedServiceBinary,
  listCargoBuilds,
} from "../../lib/toolchain/build-local.ts";
import { rustBinaryPath } from "../../lib/toolchain/rust-build.ts";
import { arm64Runner } from "../support/arm64-runner.ts";
import { foreignFiles, newestGlibcMinor } from "../support/native-files.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { type SynthesisedFunction, synth, synthesisedFunctions } from "./support/assembly.ts";
import { isRelease } from "./support/release.ts";

/** What the stack deploys, held against what a local run measures, and started on its own processor. */

/**
 * What `cdk deploy` deploys by default. Other experiments' builds take the same way; each would compile
 * the SDK once more for each architecture, some minutes of two cores.
 */
const deployed: readonly Experiment[] = [experimentById("dynamodb")];
const variants = deployed.flatMap((experiment) => experiment.variants);

interface RustVariant {
  readonly experiment: Experiment;
  readonly variant: Variant;
  readonly name: string;
}
const rustVariants: readonly RustVariant[] = deployed.flatMap((experiment) =>
  experiment.variants
    .filter((variant) => variant.source.kind === "cargo")
    .map((variant) => ({ experiment, variant, name: `${experiment.id} ${variant.id}` })),
);
/**
 * Of the variants that differ by nothing which the architecture touches but their cryptography, one is built for arm64
 * by `npm test`, and all of them by `npm run test:release`.
 */
const armVariants = isRelease
  ? rustVariants
  : rustVariants.filter(({ variant }) => variant.id === "rust-tuned");
/** Of provided.al2023: https://docs.aws.amazon.com/linux/al2023/ug/compare-with-al2.html */
const lambdaGlibcMinor = 34;

const folder = temporaryFolder();
const printed: string[] = [];
const functions: SynthesisedFunction[] = [];

beforeAll(async () => {
  await buildForLocalRun(variants, { services: ["dynamodb"] });
  const built = armVariants.map(({ variant }) => variant);
  await buildRustBinaries(listCargoBuilds(built), "arm64");
  const others = variants.filter(({ source }) => source.kind !== "cargo");
  await synthesise("x86_64", variants);
  await synthesise("arm64", [...built, ...others]);
});

async function synthesise(architecture: Architecture, chosen: readonly Variant[]): Promise<void> {
  const assembly = join(folder, architecture);
  const ids = chosen.map(({ id }) => id).join(",");
  const context = [`architectures=${architecture}`, "memory=128", `variants=${ids}`];
  printed.push(
    await synth(
      assembly,
      context.flatMap((word) => ["-c", word]),
    ),
  );
  functions.push(...synthesisedFunctions(assembly));
}

function assetOf({ experiment, variant, name }: RustVariant, architecture: Architecture): string {
  const cellId = `${variant.id}-${architecture.replace("_", "-")}-128`;
  const found = functions.find(
    (candidate) => candidate.experimentId === experiment.id && candidate.cellId === cellId,
  );
  if (found === undefined) throw new Error(`${name}: no function ${cellId} in the assembly`);
  return found.asset;
}

function sha256(path: string): string {
  return createHash("sha256").update(readFileSync(path)).digest("hex");
}

describe("what the stack deploys", () => {
  it("is not compiled again after a local run and a build for arm64", () => {
    for (const lines of printed) {
      expect(lines).toMatch(/Finished `tuned` profile/);
      expect(lines).not.toMatch(/Compiling /);
    }
  });

  it.each(rustVariants)("is the very binary that a local run measures: $name", (built) => {
    const asset = assetOf(built, floorCell.architecture);
    expect(readdirSync(asset)).toEqual(["bootstrap"]);
    const [measured] = localArtefacts([built.variant]);
    expect(measured?.build?.tool).toContain("as deployed");
    expect(sha256(join(asset, "bootstrap"))).toBe(measured?.sha256);
  });

  it("holds nothing native of another architecture", () => {
    expect(new Set(functions.map(({ architecture }) => architecture)).size).toBe(2);
    for (const { asset, architecture } of functions) {
      expect(foreignFiles(asset, architecture)).toEqual([]);
    }
  });

  it.each([
    ...rustVariants.map((built) => ({ ...built, architecture: "x86_64" as const })),
    ...armVariants.map((built) => ({ ...built, architecture: "arm64" as const })),
  ])("asks for no newer C library than Lambda has: $name, $architecture", (built) => {
    const minor = newestGlibcMinor(join(assetOf(built, built.architecture), "bootstrap"));
    expect(minor).toBeLessThanOrEqual(lambdaGlibcMinor);
  });
});

describe("an arm64 function, on an arm64 processor", () => {
  let standin: EmulatedService;
  let runner: readonly string[];

  beforeAll(async () => {
    runner = await arm64Runner();
    standin = await startEmulatedService({
      service: "dynamodb",
      binary: rustBinaryPath(emulatedServiceBinary("dynamodb")),
      tlsDirectory: folder,
      plainHttp: false,
    });
    const seed = experimentById("dynamodb").table?.seed;
    if (seed !== undefined) await createSeededTable(standin, localTableName, seedItems(seed));
  });
  afterAll(() => standin?.stop());

  /** The deployed file behind the local host, emulated where this machine is another. */
  function arm64Target(built: RustVariant): LocalTarget {
    const command = localCommands(built.experiment, standin);
    const bootstrap = join(assetOf(built, "arm64"), "bootstrap");
    const [first = bootstrap, ...args] = [...runner, bootstrap];
    return new LocalTarget({
      timeoutSeconds: 120,
      command: (cell, runtimeApi) => ({ ...command(cell, runtimeApi), command: first, args }),
    });
  }

  it.each(armVariants)("answers by the contract: $name", async (built) => {
    const { experiment, variant } = built;
    const target = arm64Target(built);
    const cell: Cell = {
      id: `${variant.id}-arm64-128`,
      variant: variant.id,
      runtime: variant.runtime,
      architecture: "arm64",
      memoryMb: 128,
    };
    try {
      const refused = await target.invoke(cell, { operation: "none-such" });
      expect(refused.error?.message).toMatch(/^operation: found "none-such"; allowed: /);
      const { payload, error } = await target.invoke(cell, { operation: experiment.coldOperation });
      expect(error).toBeUndefined();
      const result = validated("result", payload);
      expect(result).toMatchObject({ operation: experiment.coldOperation, variant: variant.id });
      if (experiment.coldOperation === "get") expect(result.itemsCount).toBe(1);
      const described = await target.invoke(cell, { operation: "describe" });
      expect(validated("result", described.payload)).toMatchObject({
        operation: "describe",
        variant: variant.id,
        bootId: result.bootId,
      });
    } finally {
      await target.close();
    }
  });
});
