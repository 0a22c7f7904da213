import { execFileSync, type SpawnSyncOptions, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { requireJson } from "../../lib/contract/lines.ts";
import { validated } from "../../lib/contract/validate.ts";
import { findNodeFor } from "../../lib/toolchain/interpreters.ts";
import { projectPaths } from "../../lib/toolchain/project-paths.ts";
import { preparePythonVenv, venvPython } from "../../lib/toolchain/python.ts";
import { makeZip } from "../support/make-zip.ts";
import { type MiniStack, startMiniStack } from "../support/ministack/ministack.ts";
import { formatReport } from "../support/report-line.ts";
import { tagAsTheTemplateDoes } from "./support/bucket-tags.ts";
import { deployedHandlers, invoked } from "./support/deployed-handlers.ts";
import { type Inventory, inventory } from "./support/inventory.ts";

/** Where nothing of the repository is. */
const folder = mkdtempSync(join(tmpdir(), "kelvin-installed-"));
const installed = join(folder, "node_modules", "kelvin");
const kelvinPath = join(folder, "node_modules", ".bin", "kelvin");
/** Neither tsx nor what npm would hand down of the repository it is called in. */
const env = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(npm_|NODE_|VITEST)/i.test(name)),
);
const npm = (...words: readonly string[]) => execFileSync("npm", words, { cwd: folder, env });

function kelvin(...words: readonly string[]) {
  return kelvinWith({}, ...words);
}

function kelvinWith(options: SpawnSyncOptions, ...words: readonly string[]) {
  const usual = { cwd: folder, env, encoding: "utf8" } as const;
  const { status, stdout, stderr } = spawnSync(kelvinPath, words, {
    ...usual,
    ...options,
    encoding: "utf8",
  });
  return { status, stdout, stderr };
}

/** A log as `aws logs tail` prints it, of warm calls that take `factor` times as long. */
function writeLog(name: string, factor: number): void {
  const lines = Array.from({ length: 200 }, (_, index) => {
    const stream = `2026/01/05/[$LATEST]${String(index % 20).padStart(32, "0")}`;
    const init = index < 20 ? { initDurationMs: 100 + index } : {};
    const memory = { memorySizeMb: 128, maxMemoryUsedMb: 64 };
    const telemetry = { durationMs: factor * (10 + (index % 7)), ...memory, ...init };
    return `2026-01-05T10:00:00+00:00 ${stream} ${formatReport(`${name}-${index}`, telemetry)}`;
  });
  writeFileSync(join(folder, name), lines.join("\n"));
}

const python = `def lambda_handler(event, context):
    return {"statusCode": 200}
`;
const node = "export const handler = async () => ({ statusCode: 200 });";
/** Few environments, and one size: what is held is that there is a report, and none of its times. */
const fewCalls = ["--memory", "512", "--cold", "6", "--warm", "30", "--expect-status", "200"];
/** The user that owns nothing. */
const nobody = 65_534;
/** Half a minute on a quiet machine. */
const maxMeasuringMs = 600_000;
let installMs = 0;
let tarball = "";

/** The one run that a folder's `runs` has, with its report; its manifest. */
function onlyRun(place: string) {
  const [name = "", ...others] = readdirSync(join(place, "runs"));
  expect(others).toEqual([]);
  const path = join(place, "runs", name);
  expect(readFileSync(join(path, "report.html"), "utf8")).toContain("<html");
  const manifest = readFileSync(join(path, "manifest.json"), "utf8");
  return validated("manifest", requireJson("manifest.json", manifest));
}

/** An empty folder, of one of the two functions. */
function placeFor(name: string, zip: string, content: string): string {
  const place = join(folder, name);
  mkdirSync(place);
  writeFileSync(join(place, "function.zip"), makeZip([{ name: zip, content }]));
  return place;
}

beforeAll(async () => {
  await preparePythonVenv();
  const words = ["--pack-destination", folder, "--loglevel", "error"];
  const withoutServices = { ...env, KELVIN_SERVICES: join(folder, "none") };
  execFileSync("npm", ["pack", ...words], { cwd: projectPaths.root, env: withoutServices });
  [tarball = ""] = readdirSync(folder).filter((name) => name.endsWith(".tgz"));
  writeFileSync(join(folder, "package.json"), '{"private":true}');
  const startedMs = performance.now();
  npm(
    "install",
    "--prefer-offline",
    "--no-audit",
    "--no-fund",
    "--loglevel",
    "error",
    `./${tarball}`,
  );
  installMs = performance.now() - startedMs;
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What lies below a folder, in MB; of files that are linked twice, as npm's cache has none. */
function megabytes(place: string): number {
  const files = readdirSync(place, { recursive: true, withFileTypes: true });
  const bytes = files
    .filter((entry) => entry.isFile())
    .map((entry) => lstatSync(join(entry.parentPath, entry.name)).size);
  return bytes.reduce((sum, each) => sum + each, 0) / 1024 / 1024;
}

describe("npx with an empty cache", () => {
  const mostMegabytes = 25;
  /** Twenty on a quiet machine is the aim, which is printed; others may have much more to do meanwhile. */
  const mostSeconds = 300;

  it("brings Kelvin alone, under 25 MB, and measures a function", { retry: 0 }, async () => {
    const place = placeFor("npx", "index.mjs", node);
    const cache = join(place, "npm-cache");
    const words = ["--yes", `--package=${join(folder, tarball)}`, "kelvin", "measure"];
    const start = performance.now();
    const npx = spawn("npx", [...words, "function.zip", ...fewCalls], {
      cwd: place,
      env: { ...env, npm_config_cache: cache, XDG_CACHE_HOME: join(place, "own-cache") },
      stdio: ["ignore", "ignore", "pipe"],
    });
    const ended = once(npx, "exit");
    await once(npx.stderr, "data");
    const seconds = (performance.now() - start) / 1000;
    npx.stderr.resume();
    expect(await ended).toEqual([0, null]);
    onlyRun(place);
    const size = megabytes(cache);
    process.stdout.write(`npx: ${size.toFixed(1)} MB, ${seconds.toFixed(1)} s to the first line\n`);
    expect(size).toBeGreaterThan(1);
    expect(size).toBeLessThan(mostMegabytes);
    expect(seconds).toBeLessThan(mostSeconds);
  });
});

describe("the package that npm pack makes", () => {
  it("has the command line and what it reads, and no source, test or tool of the repository", () => {
    const { version, files } = JSON.parse(readFileSync(join(installed, "package.json"), "utf8"));
    expect(files).toContain("dist/bin");
    for (const name of ["lib/plan", "test", "bench", "node_modules"]) {
      expect(existsSync(join(installed, name)), name).toBe(false);
    }
    // Python functions run on it where AWS's client is not built.
    const client = join(installed, "lambdas", "python", "local_runtime", "__main__.py");
    expect(existsSync(client)).toBe(true);
    expect(readdirSync(join(folder, "node_modules")).filter((name) => name[0] !== ".")).toEqual([
      "kelvin",
    ]);
    expect(kelvin("--version")).toMatchObject({ status: 0, stdout: `${version}\n` });
    expect(kelvin("--help").stdout).toMatch(/^ {2}import \[options\] \[sources\.\.\.\] /m);
  });

  it("measures a Node.js zip within minutes of npm install, with neither Python nor Rust to be found", () => {
    const place = placeFor("node", "index.mjs", node);
    const tools = join(place, "tools");
    mkdirSync(tools);
    symlinkSync(process.execPath, join(tools, "node"));
    const bare = { cwd: place, env: { HOME: place, PATH: tools } };
    const startedMs = performance.now();
    const { status, stdout, stderr } = kelvinWith(bare, "measure", "function.zip", ...fewCalls);
    expect(status, stderr).toBe(0);
    expect(installMs + performance.now() - startedMs).toBeLessThan(maxMeasuringMs);
    expect(stdout).toMatch(/^Functions: function$/m);
    const { status: ended, counts } = onlyRun(place);
    expect(ended).toBe("complete");
    expect(counts.kept).toBeGreaterThan(0);
    expect(existsSync(join(installed, "runs"))).toBe(false);
  });

  it.each([20, 26])(
    "runs on the oldest and the newest Node.js that it supports: %i",
    async (major) => {
      const { command } = await findNodeFor(`nodejs${major}.x`, { say: () => {} });
      const place = placeFor(`on-node-${major}`, "index.mjs", node);
      const script = join(installed, "dist", "bin", "kelvin.mjs");
      const run = (...words: readonly string[]) => {
        const options = { cwd: place, env: { ...env, HOME: place }, encoding: "utf8" } as const;
        return spawnSync(command, [script, ...words], options);
      };
      const measured = run("measure", "function.zip", ...fewCalls, "--runtime", `nodejs${major}.x`);
      expect(measured.status, measured.stderr).toBe(0);
      const { versions } = onlyRun(place);
      expect(JSON.stringify(versions)).toContain(`"${major}.`);
      expect(run("plan").stdout).toMatch(/^cost +about \$/m);
    },
  );

  it("measures a Python zip with the Python that is named", () => {
    const place = placeFor("python", "lambda_function.py", python);
    const words = ["measure", "function.zip", "--python", venvPython, ...fewCalls];
    const { status, stderr } = kelvinWith({ cwd: place }, ...words);
    expect(status, stderr).toBe(0);
    const { versions } = onlyRun(place);
    expect(versions).toMatchObject({ "python of function": expect.stringMatching(/^3\./) });
  });

  it("says which Python it lacks, and that it emulates no service", () => {
    const place = placeFor("without", "lambda_function.py", python);
    const words = ["measure", "function.zip", ...fewCalls];
    const other = kelvinWith({ cwd: place }, ...words, "--runtime", "python3.99");
    expect(other.status).toBe(2);
    expect(other.stderr).toContain("Python 3.99 on PATH or by --python COMMAND");
    const service = kelvinWith({ cwd: place }, ...words, "--service", "dynamodb");
    expect(service.status).toBe(2);
    expect(service.stderr).toContain("this package was packed without the emulated DynamoDB");
    expect(existsSync(join(place, "runs"))).toBe(false);
  });

  it.runIf(process.getuid?.() === 0)("measures without root and its cgroups, and says so", () => {
    const place = placeFor("nobody", "index.mjs", node);
    chownSync(place, nobody, nobody);
    chmodSync(folder, 0o755);
    const unprivileged = { cwd: place, uid: nobody, gid: nobody, env: { ...env, HOME: place } };
    const { status, stdout, stderr } = kelvinWith(
      unprivileged,
      "measure",
      "function.zip",
      ...fewCalls,
    );
    expect(status, stderr).toBe(0);
    expect(stderr).toContain("memory sizes are not limited");
    expect(stdout.replaceAll(/\s+/g, " ")).toContain(
      "differences between memory sizes mean nothing here",
    );
    expect(onlyRun(place).status).toBe("complete");
  });

  it("imports, reports, compares, exports and plans under Node.js alone, with runs where it is called", () => {
    writeLog("before.log", 1);
    writeLog("after.log", 1.5);
    const words = ["--variant", "f", "--architecture", "arm64", "--region", "eu-west-1"];
    for (const name of ["before", "after"]) {
      const { status, stderr } = kelvin("import", `${name}.log`, ...words, "--out", `runs/${name}`);
      expect(status, stderr).toBe(0);
    }
    expect(kelvin("report", "runs/after").stdout).toContain("report.html");
    const { status, stdout } = kelvin("compare", "runs/before", "runs/after", "--markdown", "-");
    expect(status).toBe(1);
    expect(stdout).toMatch(
      /^### \d+ slower.* of \d+ series\. .* is slower than before .*: 1\.50× \[/,
    );
    expect(kelvin("export", "runs/after").stdout.split("\n")).toHaveLength(202);
    const metrics = JSON.parse(kelvin("export", "runs/after", "--format", "bencher").stdout);
    expect(Object.keys(metrics)).toContain("imported/f-arm64-128/warm/invoke");
    expect(kelvin("plan").stdout).toMatch(/^cost +about \$/m);
    expect(kelvin("import", "before.log", ...words).status).toBe(0);
    expect(readdirSync(join(folder, "runs"))).toHaveLength(3);
  });

  it("explains deploy and destroy, and says that it deploys functions files only", () => {
    expect(kelvin("deploy", "--help").stdout).toContain("--functions <file>");
    expect(kelvin("destroy", "--help").stdout).toContain("kelvin destroy --profile sandbox");
    const { status, stderr } = kelvin("deploy", "-c", "experiments=dynamodb");
    expect(status).toBe(2);
    expect(stderr).toContain("--functions: found nothing; allowed: a functions file");
    expect(stderr).toContain("clone it, then run npm ci and npm run kelvin -- deploy");
  });

  it.each([
    ["of no functions file", {}, "context functions: found nothing"],
    [
      "beside a functions file",
      { functions: "/functions.json", experiments: "dynamodb" },
      'context experiments: found "dynamodb"',
    ],
  ])("has a CDK app that refuses Kelvin's own experiments: %s", (_, context, said) => {
    // Beside the CDK's packages, as a deploy puts it.
    const place = mkdtempSync(join(folder, "app-"));
    symlinkSync(join(projectPaths.root, "node_modules"), join(place, "node_modules"));
    symlinkSync(installed, join(place, "kelvin"));
    const app = join(place, "kelvin", "dist", "bin", "app.mjs");
    const links = ["--preserve-symlinks", "--preserve-symlinks-main"];
    const cdk = { CDK_OUTDIR: join(folder, "assembly"), CDK_CONTEXT_JSON: JSON.stringify(context) };
    const { status, stderr } = spawnSync(process.execPath, [...links, app], {
      cwd: folder,
      env: { ...env, ...cdk },
      encoding: "utf8",
    });
    expect(status, stderr).toBe(1);
    expect(stderr).toContain(`${said}; allowed: `);
    expect(stderr).toContain("clone it, then run npm ci and npm run kelvin -- deploy");
  });

  it.each(["local", "setup", "doctor"])("says where kelvin %s is to be had", (command) => {
    const { status, stderr } = kelvin(command);
    expect(status).toBe(2);
    expect(stderr).toContain(`clone it, then run npm ci and npm run kelvin -- ${command}`);
  });
});

/** MiniStack runs Node.js functions by this machine's own; it does not run our state machine. */
describe("deploying from the package", () => {
  const place = join(folder, "deployed");
  const file = join(place, "functions.json");
  let emulator: MiniStack;
  let before: Inventory;
  let bucket = "";
  const inAccount = (...words: readonly string[]) =>
    kelvinWith({ cwd: place, env: { ...env, ...emulator.account.environment } }, ...words);

  beforeAll(async () => {
    emulator = await startMiniStack();
    const { account } = emulator;
    const words = ["bootstrap", `aws://000000000000/${account.region}`];
    execFileSync(join(projectPaths.root, "node_modules", ".bin", "cdk"), words, {
      cwd: folder,
      env: { ...env, ...account.environment },
      stdio: "ignore",
    });
    before = await inventory(account);
    placeFor("deployed", "index.mjs", node);
    const functions = [{ name: "own", artefact: "function.zip" }];
    const events = [{ name: "get", payload: { id: 1 }, expected: { statusCode: 200 } }];
    writeFileSync(file, JSON.stringify({ schemaVersion: 1, functions, memoryMb: [128], events }));
  });
  afterAll(() => emulator?.stop());

  it("deploys a functions file with the drivers as they are packed, and no file of its own", async () => {
    const words = ["--require-approval", "never", "--outputs-file", "outputs.json"];
    const { status, stderr } = inAccount("deploy", "--functions", "functions.json", ...words);
    expect(status, stderr).toBe(0);
    expect(stderr).toContain(`account 000000000000, region ${emulator.account.region}`);
    expect(readdirSync(place).toSorted()).toEqual([
      ...["function.zip", "functions.json", "outputs.json"],
    ]);
    for (const name of ["cdk.out", "cdk.context.json"]) {
      expect(existsSync(join(installed, name)), name).toBe(false);
    }
    // Python functions run on it where AWS's client is not built.
    const client = join(installed, "lambdas", "python", "local_runtime", "__main__.py");
    expect(existsSync(client)).toBe(true);
    const { Kelvin: outputs } = JSON.parse(readFileSync(join(place, "outputs.json"), "utf8"));
    bucket = outputs.ResultsBucket;
    expect(outputs.FetchResults).toBe(`kelvin fetch --bucket ${bucket}`);

    const { functions, deployment } = await deployedHandlers(emulator.account);
    const [own = {}] = Object.values(deployment.experiments).map((each) => each.functions);
    const names = Object.values(own);
    expect(names.length).toBeGreaterThan(0);
    for (const name of names) {
      expect(await invoked(emulator.account, name, { id: 1 })).toEqual({ statusCode: 200 });
    }
    const request = { input: { cold: "some" }, deployment };
    await expect(invoked(emulator.account, functions.get("Plan"), request)).rejects.toThrow(
      /cold: found \\"some\\"/,
    );
  });

  it("destroys nothing where nobody can be asked, and names --force", () => {
    const { status, stderr } = inAccount("destroy");
    expect(status).toBe(2);
    expect(stderr).toContain("--force: found nothing; allowed: --force where there is no terminal");
  });

  it("destroys the stack without what was deployed", async () => {
    await tagAsTheTemplateDoes(emulator.account, bucket);
    rmSync(place, { recursive: true });
    mkdirSync(place);
    const { status, stderr } = inAccount("destroy", "--force");
    expect(status, stderr).toBe(0);
    expect(await inventory(emulator.account)).toEqual(before);
    expect(readdirSync(place)).toEqual([]);
  });
});
