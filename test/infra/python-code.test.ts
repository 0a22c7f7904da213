import { existsSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { experimentById } from "../../lib/experiments/catalogue.ts";
import { pipArguments } from "../../lib/toolchain/python.ts";
import { synthTemplate } from "../support/synth.ts";

const { variants } = experimentById("s3-fanout");
const withWheels = variants.filter(
  ({ source }) => source.kind === "python" && source.requirements !== undefined,
);

describe("the Python packages of a variant's own", () => {
  it("are of the one variant that Lambda's own do not serve", () => {
    expect(withWheels.map(({ id }) => id)).toEqual(["python-aioboto3"]);
  });

  it("are wheels of the architecture and Python that they are deployed to, by the lock and its hashes", () => {
    const args = pipArguments("LOCK", { architecture: "arm64", python: "3.13" }).join(" ");
    expect(args).toContain("--no-deps --require-hashes -r LOCK --only-binary :all:");
    expect(args).toContain("--implementation cp --python-version 3.13");
    expect(args).toContain("--platform manylinux2014_aarch64");
    expect(args).not.toContain("x86_64");
    const other = pipArguments("LOCK", { architecture: "x86_64", python: "3.13" }).join(" ");
    expect(other).toContain("--platform manylinux2014_x86_64");
    expect(other).not.toContain("aarch64");
  });

  it("are what this machine's Python takes where it is no Linux", () => {
    expect(pipArguments("LOCK", "this machine").join(" ")).not.toMatch(
      /--platform|--implementation/,
    );
  });

  it("make one archive for each architecture, which no other variant shares", () => {
    const template = synthTemplate({
      experiments: "s3-fanout",
      memory: "128,512",
      architectures: "arm64,x86_64",
    });
    const keys = new Map<string, Set<string>>();
    for (const [id, { Properties }] of Object.entries(
      template.findResources("AWS::Lambda::Function"),
    )) {
      const [, variant = ""] = /^s3fanout(python[a-z]+?\d?)(?:arm64|x8664)/.exec(id) ?? [];
      if (variant === "") continue;
      const name = `${variant} ${Properties.Architectures[0]}`;
      keys.set(name, (keys.get(name) ?? new Set()).add(Properties.Code.S3Key));
    }
    const of = (name: string) => [...(keys.get(name) ?? [])];
    expect(of("pythonaioboto3 arm64")).toHaveLength(1);
    expect(of("pythonaioboto3 arm64")).not.toEqual(of("pythonaioboto3 x86_64"));
    expect(of("pythonserial arm64")).toEqual(of("pythonserial x86_64"));
    expect(of("pythonserial arm64")).toEqual(of("pythonexecutor arm64"));
    expect(of("pythonserial arm64")).not.toEqual(of("pythonaioboto3 arm64"));
  });

  it("lie where their lock lies, among what is deployed", () => {
    for (const { source } of withWheels) {
      if (source.kind !== "python") continue;
      expect(existsSync(`lambdas/python/${source.requirements}`)).toBe(true);
    }
  });
});
