import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { kelvinProgram } from "../../bin/program.ts";
import { projectPaths } from "../../lib/toolchain/project-paths.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const page = readFileSync(join(projectPaths.root, "docs/pull-requests.md"), "utf8");
const [, workflow = ""] = /```yaml\n([\s\S]*?)```/.exec(page) ?? [];

/** What a step of the workflow runs. */
function runOf(step: string): string {
  const lines = workflow.split(`- name: ${step}\n`)[1]?.split("\n") ?? [];
  const first = lines.findIndex((line) => line.trim() === "run: |") + 1;
  const indent = /^ */.exec(lines[first] ?? "")?.[0] ?? "";
  const after = lines.slice(first).findIndex((line) => !line.startsWith(indent));
  return lines
    .slice(first, after < 0 ? undefined : first + after)
    .map((line) => line.slice(indent.length))
    .join("\n");
}

const folder = temporaryFolder();
const sh = (command: string, env: NodeJS.ProcessEnv = {}) =>
  execFileSync("bash", ["-euo", "pipefail", "-c", command], {
    cwd: folder,
    env: { ...process.env, ...env },
    encoding: "utf8",
  });

const git = "git -c user.name=a -c user.email=a@example.com -c init.defaultBranch=main";

describe("the workflow for pull requests", () => {
  it("builds the base and the head, each of its own commit", () => {
    mkdirSync(join(folder, "function"));
    const commit = (text: string) => {
      writeFileSync(join(folder, "function", "index.mjs"), text);
      sh(`${git} add . && ${git} commit --quiet --message x`);
      return sh("git rev-parse HEAD").trim();
    };
    sh(`${git} init --quiet`);
    const [BASE, HEAD] = [commit("base"), commit("head")];
    sh(runOf("Build both"), { BASE, HEAD });
    expect(sh("unzip -p base.zip index.mjs")).toBe("base");
    expect(sh("unzip -p head.zip index.mjs")).toBe("head");
  });

  it("measures with words that kelvin measure takes, and posts the file that they write", () => {
    const words = runOf("Measure").trim().split(/\s+/);
    expect(words.slice(0, 4)).toEqual(["kelvin", "measure", "base.zip", "head.zip"]);
    expect(workflow).toContain(`--body-file ${words[words.indexOf("--markdown") + 1]}`);
    const measure = kelvinProgram().commands.find((command) => command.name() === "measure");
    if (measure === undefined) return;
    const known = measure.options.map(({ long }) => long);
    for (const word of words) if (word.startsWith("--")) expect(known).toContain(word);
  });
});
