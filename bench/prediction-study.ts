import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Command } from "commander";
import { exitCodes } from "../bin/exit-codes.ts";
import type { Prediction, PredictionStudies, PredictionStudy } from "../lib/analysis/prediction.ts";
import type { Summary as RunSummary } from "../lib/analysis/summary.ts";
import { defined } from "../lib/contract/defined.ts";
import type { SpeedProbe } from "../lib/contract/types/contract.ts";
import { probeSpeed } from "../lib/local/speed-probe.ts";
import { speedOf, usualSpeed } from "../lib/prediction/machine-speed.ts";
import type { StudySeries } from "../lib/prediction/study-calls.ts";
import { commandEnvironment } from "../lib/toolchain/command-environment.ts";
import { projectPaths } from "../lib/toolchain/project-paths.ts";
import { venvPython } from "../lib/toolchain/python.ts";
import { deriveSpeed } from "./prediction/derived-speed.ts";
import { listPublishedFigures } from "./prediction/figures.ts";
import {
  type LocalRuns,
  type LocalSeries,
  meanOfRuns,
  readLocalRun,
} from "./prediction/local-runs.ts";
import type { StudyPage } from "./prediction/page.ts";
import { buildPorted, type PortedWorkload } from "./prediction/ported-functions.ts";
import { runBench } from "./run-bench.ts";

const sixSizes = "128,256,512,1024,1769,2048";

interface StudyRun {
  readonly args: readonly string[];
  /** Ported functions that the run measures instead of an experiment. */
  readonly ported?: PortedWorkload;
}

/** Every experiment runs once per seed: a single run does not show how far runs differ. */
const seeds = [1, 2, 3];

/** The local runs, at those published memory sizes that two CPUs permit. */
const runs: Readonly<Record<string, StudyRun>> = {
  compute: {
    args: ["--memory", "128,1769", "--variants", "rust,python", "--warm", "0"],
  },
  dynamodb: { args: ["--memory", "128,256", "--variants", "rust,python"] },
  "dynamodb-batch": { args: ["--memory", sixSizes] },
  sha256: { args: ["--memory", sixSizes, "--cold", "6", "--warm", "12"] },
  "first-request": { args: ["--memory", "128", "--variants", "unwarmed,warmed"] },
  multicore: { args: ["--memory", "1536,2048", "--variants", "rust"] },
  "s3-fanout": {
    args: [
      ...["--memory", "128,512,1024,1536,2048,3008", "--cold", "4", "--warm", "4"],
      ...["--variants", "python-serial,python-aioboto3,python-executor"],
    ],
  },
  "put-item": { ported: "put-item", args: ["--any-version"] },
  "validated-put": { ported: "validated-put", args: ["--any-version"] },
  hello: { ported: "hello", args: ["--warm", "0"] },
};

const kept = join(projectPaths.root, "lib", "contract", "prediction.json");
const page = join(projectPaths.root, "docs", "prediction.md");

/** Rounds of the speed probe at the study's end; each run also has its own probe. */
const probeRounds = 15;

interface Options {
  readonly runs?: string;
  readonly stored?: true;
}

/**
 * Runs what is missing in the folder, and writes the results to lib/contract/prediction.json and the page. They
 * replace an earlier study of the same machine, or are appended to those of others.
 */
async function predict({ runs: given, stored }: Options): Promise<number> {
  if (stored === true) {
    writeStudies(readStudies());
    writePage();
    return exitCodes.complete;
  }
  const runsFolder = given ?? mkdtempSync(join(tmpdir(), "kelvin-prediction-"));
  const summaries: Summary[] = [];
  const series = new Map<string, readonly LocalSeries[]>();
  for (const [experiment, { args, ported }] of Object.entries(runs)) {
    const ofSeeds: (readonly LocalSeries[])[] = [];
    for (const seed of seeds) {
      const folder = join(runsFolder, `seed-${seed}`, experiment);
      if (!existsSync(join(folder, "summary.json"))) {
        const measured =
          ported === undefined
            ? ["local", "--experiment", experiment]
            : ["measure", "--functions", await buildPorted(ported, join(runsFolder, ported))];
        await runHere([...measured, ...args, "--seed", String(seed)], folder);
      }
      const view = JSON.parse(readFileSync(join(folder, "summary.json"), "utf8")) as RunSummary;
      summaries.push({ ...view, experiment });
      ofSeeds.push(await readLocalRun(folder));
    }
    series.set(experiment, meanOfRuns(ofSeeds));
  }
  const study = studyOf(summaries, series);
  const studies = readStudies();
  const isKnown = studies.some(({ machine }) => machine === study.machine);
  // The first machine must stay first: the model's constants refer to its speed.
  const all = isKnown
    ? studies.map((each) => (each.machine === study.machine ? study : each))
    : [...studies, study];
  writeStudies(all);
  writePage();
  return exitCodes.complete;
}

/** Stores the studies. Derives unprobed speeds again, because the probed machine's times may have changed. */
function writeStudies(studies: readonly PredictionStudy[]): void {
  const probed = studies.find(({ isSpeedDerived }) => isSpeedDerived !== true);
  const derived = studies.map((each) =>
    each.isSpeedDerived === true && probed !== undefined
      ? { ...each, speed: deriveSpeed(seriesOf(each), { ...probed, series: seriesOf(probed) }) }
      : each,
  );
  writeFileSync(kept, `${JSON.stringify({ studies: derived }, null, 2)}\n`);
  // The linter requires the formatter's layout.
  const format = [join(projectPaths.root, "node_modules", ".bin", "biome"), "format", "--write"];
  execFileSync(process.execPath, [...format, kept], {
    cwd: projectPaths.root,
    env: commandEnvironment("project"),
    stdio: "ignore",
  });
}

function readStudies(): readonly PredictionStudy[] {
  return (JSON.parse(readFileSync(kept, "utf8")) as PredictionStudies).studies;
}

function seriesOf({ series }: PredictionStudy): readonly StudySeries[] {
  return (series ?? []) as readonly StudySeries[];
}

/** A run's summary with its name in the study: all ported workloads have the same name in their plans. */
type Summary = Pick<RunSummary, "manifest" | "plan"> & { readonly experiment: string };

/** Writes the page's tables and the figures next to it from the stored studies. */
function writePage(): void {
  const { tables, files } = JSON.parse(
    execFileSync(process.execPath, ["--import", "tsx", "bench/prediction/print-page.ts"], {
      cwd: projectPaths.root,
      env: commandEnvironment("project"),
      encoding: "utf8",
    }),
  ) as StudyPage;
  const text = Object.entries(tables).reduce(
    (document, [name, lines]) => withTable(document, name, lines),
    readFileSync(page, "utf8"),
  );
  writeFileSync(page, text);
  for (const [name, content] of Object.entries(files)) {
    writeFileSync(join(projectPaths.root, "docs", name), content);
  }
  process.stdout.write(`${Object.values(tables).flat().join("\n")}\n`);
}

async function runHere(args: readonly string[], out: string): Promise<void> {
  const kelvin = ["--import", "tsx", "bin/kelvin.ts", ...args];
  const child = spawn(process.execPath, [...kelvin, "--out", out], {
    cwd: projectPaths.root,
    env: commandEnvironment("project"),
    stdio: ["ignore", "ignore", "inherit"],
  });
  const [code] = (await once(child, "exit")) as [number | null];
  if (code !== 0) throw new Error(`kelvin ${args.join(" ")} ended with ${code}`);
}

function studyOf(summaries: readonly Summary[], series: LocalRuns): PredictionStudy {
  const each = (of: (summary: Summary) => string | undefined) =>
    [...new Set(summaries.flatMap((summary) => of(summary) || []))].join("; ");
  return {
    machine: each(
      ({ manifest: { machine } }) => machine && `${machine.cpuModel}, ${machine.cpus} CPUs`,
    ),
    versions: each(({ manifest: { versions } }) =>
      ["rustc", "python", "aws-sdk-dynamodb", "boto3"]
        .flatMap((name) => (versions[name] === undefined ? [] : [`${name} ${versions[name]}`]))
        .join(", "),
    ),
    network: each(
      ({ experiment, plan: { network } }) =>
        network &&
        `${experiment}: ${network.delayMs} ms a request, ${network.connectMs ?? 0} ms a connection`,
    ),
    environments: each(({ experiment, plan }) => `${experiment}: ${plan.sizes.environments}`),
    seeds: each(({ experiment, plan }) => `${experiment}: ${plan.seed}`),
    speed: speedOfRuns(summaries),
    calibrationMs: calibrate(),
    predictions: predictFigures(series),
    series: [...series].flatMap(([experiment, own]) =>
      own
        .filter(({ means }) => Object.keys(means).length > 0)
        .map((each) => ({
          experiment,
          ...each,
          ...artefactOf(each.variant, experiment, summaries),
        })),
    ),
  };
}

/** Returns the prediction of every published figure that has a counterpart in the runs. */
function predictFigures(runs: LocalRuns): readonly Prediction[] {
  return listPublishedFigures().flatMap(({ kind, what, observed, predict, interval }) => {
    const predicted = predict(runs);
    if (predicted === undefined) return [];
    return [{ kind, what, observed, predicted, ...defined({ interval: interval?.(runs) }) }];
  });
}

/** Returns the usual speed over today's probe and all runs with a probe of the same version. */
function speedOfRuns(summaries: readonly Summary[]): SpeedProbe {
  const today = probeSpeed(venvPython, probeRounds);
  const known = summaries.filter(
    ({ manifest }) => manifest.speed?.schemaVersion === today.schemaVersion,
  );
  return usualSpeed(
    today,
    known.flatMap(({ manifest }) => speedOf(manifest) ?? []),
  );
}

/** Returns the size of a variant's binary in MB; an interpreted function's says nothing about its start. */
function artefactOf(variant: string, experiment: string, summaries: readonly Summary[]) {
  const run = summaries.find((summary) => summary.experiment === experiment);
  const bytes = run?.manifest.artefacts.find((each) => each.variant === variant)?.sizeBytes;
  return bytes === undefined ? {} : { artefactMb: bytes / 1_000_000 };
}

/** Returns the fastest of five runs, in ms: other load on the machine can only add time. */
function calibrate(): number {
  const script = [
    "import hashlib, time",
    "digest, begun = bytes(32), time.perf_counter()",
    "for _ in range(1_000_000): digest = hashlib.sha256(digest).digest()",
    "print(1000 * (time.perf_counter() - begun))",
  ].join("\n");
  const times = Array.from({ length: 5 }, () =>
    Number(
      execFileSync(join(projectPaths.venvBin, "python"), ["-c", script], {
        env: commandEnvironment("python"),
        encoding: "utf8",
      }),
    ),
  );
  return Math.round(Math.min(...times));
}

function withTable(document: string, name: string, lines: readonly string[]): string {
  const [open, close] = [`<!-- ${name} -->\n`, `\n<!-- /${name} -->`];
  const [from, to] = [document.indexOf(open), document.indexOf(close)];
  if (from < 0 || to < from) throw new Error(`${page}: no place for the table ${name}`);
  return `${document.slice(0, from + open.length)}${lines.join("\n")}${document.slice(to)}`;
}

const command = new Command("study:prediction")
  .description("runs here what was published from Lambda, and says how well it was predicted")
  .option(
    "--runs <folder>",
    "where the runs go; those that are there already are not made again (default: a new temporary folder)",
  )
  .option("--stored", "writes the page's tables from the stored studies, and runs nothing");

await runBench(command, predict);
