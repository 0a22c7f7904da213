import { spawnSync } from "node:child_process";
import { chmodSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { Cell } from "../../lib/contract/types/contract.ts";
import { startEmulatedService } from "../../lib/local/emulated-services.ts";
import {
  type CommandPurpose,
  commandEnvironment,
} from "../../lib/toolchain/command-environment.ts";
import { projectPaths } from "../../lib/toolchain/project-paths.ts";
import { buildRustBinary, rustBinaryPath } from "../../lib/toolchain/rust-build.ts";
import { httpDriverBinary } from "../../studies/emulators/engines/engine-kinds.ts";
import { openEngineSession } from "../../studies/emulators/engines/engine-session.ts";
import { FakeCargo } from "../support/fake-cargo.ts";
import { folderPerTest } from "../support/temporary-folder.ts";

const secrets = {
  GITHUB_TOKEN: "secret",
  AWS_SECRET_ACCESS_KEY: "secret",
  CARGO_REGISTRY_TOKEN: "secret",
  CARGO_REGISTRIES_MINE_TOKEN: "secret",
  "npm_config_//registry.example/:_authToken": "secret",
  PIP_KEYRING_PASSWORD: "secret",
  NPM_TOKEN: "secret",
};
/** They would change what is built or measured. */
const meddlers = {
  NODE_OPTIONS: "--no-warnings",
  LD_PRELOAD: "",
  PYTHONPATH: "/nowhere",
  CARGO_PROFILE_RELEASE_OPT_LEVEL: "0",
  AWS_LC_SYS_NO_JITTER_ENTROPY: "1",
  VALGRIND_OPTS: "-v",
  AWS_ENDPOINT_URL: "http://127.0.0.1:1",
};
const base = { PATH: "/bin", HOME: "/home/me", LC_ALL: "C" };
const given = (purpose: CommandPurpose, more: Readonly<Record<string, string>>) =>
  commandEnvironment(purpose, { ...base, ...secrets, ...meddlers, ...more });

describe("the environment of a command", () => {
  it.each(["tool", "service", "java", "container", "apt", "python"] as const)(
    "of the purpose %s has no secret and nothing that nobody listed",
    (purpose) => expect(given(purpose, { CARGO_HOME: "/cargo" })).toEqual(base),
  );

  it.each(["pip", "npm", "maven", "rust", "project"] as const)(
    "of the purpose %s has what its tool needs of a proxy, and no secret",
    (purpose) => {
      const proxy = { https_proxy: "http://proxy:1", SSL_CERT_FILE: "/roots.pem" };
      expect(given(purpose, proxy)).toEqual({ ...base, ...proxy });
    },
  );

  it.each([
    ["rust", { CARGO_HOME: "/c", RUSTUP_TOOLCHAIN: "1.95.0", CARGO_REGISTRIES_MINE_INDEX: "i" }],
    ["rust", { CARGO_TARGET_DIR: "/t", CARGO_BUILD_RUSTC_WRAPPER: "w", CARGO_NET_OFFLINE: "true" }],
    ["pip", { PIP_INDEX_URL: "i", PIP_FIND_LINKS: "/wheels", PYENV_ROOT: "/p" }],
    ["npm", { npm_config_registry: "r" }],
    ["java", { JAVA_HOME: "/j" }],
    ["container", { DOCKER_HOST: "unix:///d", LOCALSTACK_AUTH_TOKEN: "needed" }],
  ] as const)("of the purpose %s has %j", (purpose, wanted) => {
    expect(given(purpose, wanted)).toEqual({ ...base, ...wanted });
  });
});

describe("a token of the caller's", () => {
  const folder = folderPerTest();
  beforeEach(() => {
    vi.stubEnv("GITHUB_TOKEN", "secret");
    vi.stubEnv("LOCALSTACK_AUTH_TOKEN", "secret");
  });

  /** A program that leaves its environment beside it before it does what it is there for. */
  function program(path: string, does: string): string {
    writeFileSync(path, `#!/bin/sh\nenv > ${folder()}/environment\n${does}\n`);
    chmodSync(path, 0o755);
    return path;
  }
  const environment = () => readFileSync(folder("environment"), "utf8");

  it("reaches no emulated service", async () => {
    const ready = `echo '{"endpoint":"http://127.0.0.1:1"}'; read line`;
    const binary = program(folder("standin"), ready);
    const tls = { service: "s3", tlsDirectory: folder(), plainHttp: true } as const;
    await (await startEmulatedService({ binary, ...tls })).stop();
    expect(environment()).toContain("PATH=");
    expect(environment()).not.toContain("secret");
  });

  it("reaches no engine and no driver of one", async () => {
    vi.stubEnv("CARGO_TARGET_DIR", folder());
    const path = rustBinaryPath(httpDriverBinary);
    spawnSync("mkdir", ["-p", join(path, "..")]);
    program(path, "exit 1");
    const session = openEngineSession(
      new Map([["moto", { folder: folder(), version: "1" }]]),
      5,
      false,
    );
    const cell = { id: "moto", variant: "moto" } as Cell;
    await expect(session.target.forceCold(cell)).rejects.toThrow(/its driver ended/);
    await session.close();
    expect(environment()).toContain("TMPDIR=");
    expect(environment()).not.toContain("secret");
  });

  it("reaches no compiler", async () => {
    const cargo = new FakeCargo();
    vi.stubEnv("CARGO_TARGET_DIR", folder());
    await buildRustBinary({ binaryName: "some-function", profile: "release" }, {}, "x86_64");
    expect(cargo.environment().join()).toContain("CARGO_TARGET_DIR=");
    expect(cargo.environment().join()).not.toContain("secret");
  });
});

/** Calls that start a process, each with all of its arguments. */
function startingCalls(source: string): readonly string[] {
  const starts = /(?<!\.)\b(?:spawn|spawnSync|execFileSync|execSync|exec|execFile|fork)\)?\(/g;
  return [...source.matchAll(starts)].map(({ index, 0: start }) => {
    let end = index + start.length;
    for (let depth = 1; depth > 0 && end < source.length; end += 1) {
      depth += source[end] === "(" ? 1 : source[end] === ")" ? -1 : 0;
    }
    return source.slice(index, end);
  });
}

describe("every process that Kelvin starts", () => {
  const files = ["lib", "bin", "bench"].flatMap((room) =>
    readdirSync(join(projectPaths.root, room), { recursive: true, encoding: "utf8" })
      .filter((path) => path.endsWith(".ts"))
      .map((path) => join(room, path)),
  );
  const sources = files
    .map((path) => ({ path, source: readFileSync(join(projectPaths.root, path), "utf8") }))
    .filter(({ source }) => source.includes("child_process"));

  it("is given an environment by name, and never this process's own", () => {
    expect(sources.length).toBeGreaterThan(10);
    for (const { path, source } of sources) {
      const calls = startingCalls(source);
      expect(calls.length, path).toBeGreaterThan(0);
      for (const call of calls) expect(call, path).toMatch(/\benv\b/);
      expect(source, path).not.toMatch(/\.\.\.process\.env|env: process\.env/);
      // By another name its calls would not be found.
      expect(source, path).not.toMatch(/= promisify\(|\bas (?:spawn|exec)|import \* as/);
    }
  });

  it.runIf(process.platform === "linux")("has no descriptor but the three", () => {
    const script = join(projectPaths.root, "test", "local", "functions", "open-descriptors.ts");
    const file = join(projectPaths.root, "package.json");
    const words = `exec 7<"${file}"; exec 44<"${file}"; exec "$0" --import tsx "${script}"`;
    const options = { encoding: "utf8", cwd: projectPaths.root, timeout: 60_000 } as const;
    const { stdout, stderr } = spawnSync("bash", ["-c", words, process.execPath], options);
    expect(stderr).toBe("");
    const [before, after] = stdout.trim().split("\n");
    expect(JSON.parse(before ?? "")).toContain(file);
    expect(JSON.parse(after ?? "")).not.toContain(file);
    expect(JSON.parse(after ?? "").length).toBeLessThanOrEqual(3);
  });
});
