import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { deploy } from "../../bin/commands/deploy.ts";
import { cdkArguments } from "../../bin/commands/run-cdk.ts";
import { requireFunctionsFile } from "../../lib/infra/stack-context.ts";

const own = { command: "node --import tsx bin/app.ts", scratch: "/scratch" };

describe("the CDK's command", () => {
  it("gets its own options as they are, and paths as they are seen from where kelvin was called", () => {
    const words = ["deploy", "--profile", "sandbox", "-O", "out.json", "--output=assembly"];
    expect(cdkArguments("app", words, own)).toEqual([
      ...["deploy", "--profile", "sandbox", "-O", resolve("out.json")],
      ...[`--output=${resolve("assembly")}`, "--app", "node --import tsx bin/app.ts"],
    ]);
  });

  it("writes cdk.out in the repository, but for a stack that is destroyed", () => {
    expect(cdkArguments("app", ["deploy"], own)).not.toContain("--output");
    const destroying = cdkArguments("empty-app", ["destroy"], { ...own, command: "app" });
    expect(destroying.join(" ")).toBe("destroy --app app --output /scratch");
  });
});

describe("kelvin deploy --functions", () => {
  it("names what is wrong with the file before it looks for an account", async () => {
    await expect(deploy([], { functions: "absent.json" })).rejects.toThrow(
      'functions: found "absent.json"; allowed: a file',
    );
  });
});

describe("the CDK app of an installed package", () => {
  const required = (context: Readonly<Record<string, string>>) => () =>
    requireFunctionsFile((name) => context[name]);

  it("deploys a functions file, and says that Kelvin's own experiments need the repository", () => {
    expect(required({ functions: "/here/functions.json", experiments: "" })).not.toThrow();
    const both = { functions: "/here/functions.json", experiments: "compute" };
    expect(required(both)).toThrow(/context experiments: found "compute".* clone it/);
    expect(required({})).toThrow(/context functions: found nothing.* clone it/);
  });
});
