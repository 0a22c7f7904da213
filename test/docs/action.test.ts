import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { kelvinProgram } from "../../bin/program.ts";
import { projectPaths } from "../../lib/toolchain/project-paths.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

interface Step {
  readonly name?: string;
  readonly run?: string;
  readonly uses?: string;
}

interface Action {
  readonly inputs: Readonly<Record<string, { readonly default?: string }>>;
  readonly runs: { readonly steps: readonly Step[] };
}

interface Workflow {
  readonly jobs: Readonly<Record<string, { readonly steps: readonly Step[] }>>;
}

const read = (path: string) => readFileSync(join(projectPaths.root, path), "utf8");
const action = parse(read("action.yml")) as Action;
const folder = temporaryFolder();

/** Stands in for a command: it writes its words to a file, one a line, and ends with a code. */
function fakeCommand(name: string, more: string): void {
  const path = join(folder, "bin", name);
  writeFileSync(path, `#!/bin/bash\nprintf '%s\\n' "$@" > "${folder}/${name}.words"\n${more}\n`);
  chmodSync(path, 0o755);
}

/** Runs a step's script as GitHub does: https://docs.github.com/actions/reference/workflow-syntax-for-github-actions */
function runStep(name: string, env: Readonly<Record<string, string>>) {
  const script = action.runs.steps.find((step) => step.name === name)?.run;
  if (script === undefined) throw new Error(`no step ${name}`);
  return spawnSync("bash", ["--noprofile", "--norc", "-eo", "pipefail", "-c", script], {
    cwd: folder,
    env: {
      PATH: `${join(folder, "bin")}:${process.env.PATH}`,
      RUNNER_TEMP: folder,
      GITHUB_OUTPUT: join(folder, "output"),
      GITHUB_STEP_SUMMARY: join(folder, "summary"),
      GITHUB_REPOSITORY: "someone/functions",
      ...env,
    },
    encoding: "utf8",
  });
}

const wordsOf = (name: string) =>
  readFileSync(join(folder, `${name}.words`), "utf8")
    .trimEnd()
    .split("\n");

const inputs = {
  BASE: "base build.zip",
  HEAD: "head.zip",
  OPTIONS: action.inputs.options?.default ?? "",
  EVENT: "event.json",
  FAIL_ON: action.inputs["fail-on"]?.default ?? "",
};

beforeEach(() => {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, "bin"), { recursive: true });
});

describe("the action", () => {
  it("installs the package that this repository packs", () => {
    fakeCommand("npm", `if [ "$1" = pack ]; then echo kelvin-0.1.0.tgz; fi`);
    expect(runStep("Install Kelvin", {}).status).toBe(0);
    expect(wordsOf("npm")).toEqual(["install", "--global", join(folder, "kelvin-0.1.0.tgz")]);
  });

  it("measures both builds with options that kelvin measure has, and keeps the exit code", () => {
    fakeCommand("kelvin", `echo slower > "${folder}/kelvin-comment.md"; exit 1`);
    expect(runStep("Measure", inputs).status).toBe(0);
    const words = wordsOf("kelvin");
    expect(words.slice(0, 3)).toEqual(["measure", "base build.zip", "head.zip"]);
    expect(words.slice(-2)).toEqual(["--event", "event.json"]);
    const measure = kelvinProgram().commands.find((command) => command.name() === "measure");
    const known = measure?.options.map(({ long }) => long) ?? [];
    for (const word of words.filter((each) => each.startsWith("--"))) expect(known).toContain(word);
    expect(readFileSync(join(folder, "output"), "utf8")).toContain("exit-code=1\n");
    expect(readFileSync(join(folder, "summary"), "utf8")).toBe("slower\n");
  });

  it("keeps the exit code where nothing was written, too", () => {
    fakeCommand("kelvin", "exit 2");
    expect(runStep("Measure", { ...inputs, EVENT: "" }).status).toBe(0);
    expect(wordsOf("kelvin")).not.toContain("--event");
    expect(readFileSync(join(folder, "output"), "utf8")).toContain("exit-code=2\n");
  });

  it("posts the comment in place of its last one, and only warns if it may not", () => {
    fakeCommand("gh", "exit 1");
    const comment = join(folder, "comment.md");
    writeFileSync(comment, "slower");
    const { status, stdout } = runStep("Post", { NUMBER: "7", COMMENT: comment });
    expect(status).toBe(0);
    expect(stdout).toContain("::warning::");
    expect(wordsOf("gh")).toEqual(
      expect.arrayContaining(["pr", "comment", "7", "--edit-last", "--body-file", comment]),
    );
  });

  it("ends as kelvin measure did", () => {
    expect(runStep("Gate", { CODE: "0" }).status).toBe(0);
    expect(runStep("Gate", { CODE: "4" }).status).toBe(4);
  });
});

describe("the workflows of this repository", () => {
  const steps = ["test", "release"].flatMap((name) =>
    Object.values((parse(read(`.github/workflows/${name}.yml`)) as Workflow).jobs).flatMap(
      (job) => job.steps,
    ),
  );

  it("use actions by their full commit alone", () => {
    const used = steps.flatMap(({ uses }) => uses ?? []);
    expect(used.length).toBeGreaterThan(0);
    for (const each of used) expect(each).toMatch(/@[0-9a-f]{40}$/);
  });

  it("run all tests before anything is published", () => {
    const commands = steps.flatMap(({ run }) => run ?? []);
    expect(commands.filter((each) => each === ".ci/run")).toHaveLength(2);
    const published = commands.filter((each) => each.includes("npm publish"));
    expect(published).toHaveLength(2);
    expect(commands.slice(-2)).toEqual(published);
    for (const each of published) expect(each).toContain("--provenance --access public");
    expect(commands.at(-3)).toContain("test/run-publish-check.ts");
  });
});
