import { mkdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { cdkTree, type PackageLock } from "../../lib/toolchain/cdk-lock.ts";
import { cdkNode } from "../../lib/toolchain/cdk-node.ts";
import { prepareCdk } from "../../lib/toolchain/cdk-packages.ts";
import { projectPaths } from "../../lib/toolchain/project-paths.ts";
import packageJson from "../../package.json" with { type: "json" };
import { folderPerTest } from "../support/temporary-folder.ts";

const lock: PackageLock = JSON.parse(
  readFileSync(join(projectPaths.root, "package-lock.json"), "utf8"),
);

describe("the part of the lock that the CDK is installed by", () => {
  const { packageJson: own, packageLock } = cdkTree(lock);
  const { packages } = packageLock as PackageLock;

  it("has the versions that the project is tested with", () => {
    const { "aws-cdk": cli, "aws-cdk-lib": library, constructs } = packageJson.devDependencies;
    expect(own.dependencies).toEqual({ "aws-cdk": cli, "aws-cdk-lib": library, constructs });
  });

  it("has what those need, with its hashes, and no other package", () => {
    const names = Object.keys(packages).filter((name) => name !== "");
    expect(names).toContain("node_modules/@aws-cdk/cloud-assembly-schema");
    expect(names.filter((name) => /vitest|esbuild|aws-sdk|typescript/.test(name))).toEqual([]);
    for (const name of names) {
      const { integrity, inBundle } = packages[name] as { integrity?: string; inBundle?: true };
      expect(integrity ?? inBundle, name).toBeTruthy();
      expect(packages[name], name).not.toHaveProperty("dev");
    }
  });

  it("finds a package where the one that needs it would", () => {
    const inner = { version: "1", dependencies: { shared: "1" } };
    const tree = cdkTree({
      packages: {
        "node_modules/aws-cdk": { version: "2" },
        "node_modules/constructs": { version: "3" },
        "node_modules/aws-cdk-lib": { version: "1", dependencies: { "@a/b": "1" } },
        "node_modules/aws-cdk-lib/node_modules/@a/b": inner,
        "node_modules/aws-cdk-lib/node_modules/shared": { version: "1" },
        "node_modules/shared": { version: "2" },
      },
    });
    const { packages: found } = tree.packageLock as PackageLock;
    expect(Object.keys(found)).toContain("node_modules/aws-cdk-lib/node_modules/shared");
    expect(Object.keys(found)).not.toContain("node_modules/shared");
  });

  it("is refused where the lock lacks one of its packages", () => {
    expect(() => cdkTree({ packages: {} })).toThrow("has no version of node_modules/aws-cdk");
  });
});

describe("the CDK of an installed package", () => {
  const folder = folderPerTest();

  /** An npm that leaves its arguments where it is called to install. */
  function fakeNpm(does: string): string {
    const tools = folder("tools");
    mkdirSync(tools);
    writeFileSync(join(tools, "npm"), `#!/bin/sh\n${does}\n`, { mode: 0o755 });
    return `${tools}:${process.env.PATH}`;
  }

  it("is brought by npm by its lock at the first use, which is said, and found afterwards", async () => {
    const tree = folder("tree");
    mkdirSync(tree);
    writeFileSync(join(tree, "package.json"), "{}");
    writeFileSync(join(tree, "package-lock.json"), "{}");
    vi.stubEnv("PATH", fakeNpm('mkdir node_modules; echo "$@" > node_modules/arguments'));
    const said: string[] = [];
    const options = { say: (line: string) => said.push(line), tree, cache: folder("cache") };
    const packages = await prepareCdk(options);
    expect(readFileSync(join(packages, "arguments"), "utf8")).toMatch(/^ci .*--ignore-scripts/);
    expect(said).toEqual([
      expect.stringMatching(/^fetching the CDK \(aws-cdk 2\.\d+\.\d+, aws-cdk-lib 2\.\d+\.\d+\)/),
    ]);
    expect(await prepareCdk(options)).toBe(packages);
    expect(said).toHaveLength(1);
  });

  it("is the repository's own in the repository", async () => {
    const packages = await prepareCdk({ say: () => expect.unreachable() });
    expect(packages).toBe(realpathSync(join(projectPaths.root, "node_modules")));
  });
});

describe("the Node.js that the CDK runs on", () => {
  it.each(["22.0.0", "24.21.0", "26.1.0"])("is this one where it is %s", async (version) => {
    const fetch = () => expect.unreachable();
    expect(await cdkNode({ say: () => {}, version, fetch })).toBe(process.execPath);
  });

  it("is one of npm's where the CDK no longer supports this one, which is said", async () => {
    const said: string[] = [];
    const fetch = async (major: number) => ({ command: `/node-${major}`, version: "24.1.0" });
    const options = { say: (line: string) => said.push(line), version: "20.20.2", fetch };
    expect(await cdkNode(options)).toBe("/node-24");
    expect(said).toEqual(["the CDK runs on Node.js 24.1.0: it no longer supports 20.20.2"]);
  });

  it("is asked for where npm brings none", async () => {
    const fetch = async () => {
      throw new Error("no network");
    };
    await expect(cdkNode({ say: () => {}, version: "20.20.2", fetch })).rejects.toThrow(
      'Node.js: found "20.20.2"; allowed: 22 or later to deploy',
    );
  });
});
