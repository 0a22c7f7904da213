import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { deploy } from "../../bin/commands/deploy.ts";
import { describeClearSecrets } from "../../bin/run/clear-secrets.ts";
import { describeFirstDeploy, readDeployed } from "../../bin/run/deploy-choice.ts";
import { cdkArguments } from "../../bin/run/run-cdk.ts";
import { stackName } from "../../bin/run/stack-name.ts";
import { requireFunctionsFile } from "../../lib/infra/stack-context.ts";
import { functionsFolder } from "../support/functions-file.ts";

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

it("kelvin deploy --functions names what is wrong with the file before it looks for an account", async () => {
  await expect(deploy([], { functions: "absent.json" })).rejects.toThrow(
    "no such file: absent.json",
  );
});

it("a functions file with an action that IAM does not have is refused in one sentence, by the action's place in the file", async () => {
  const own = functionsFolder();
  const statements = [{ actions: ["dynamodb"], resources: ["*"] }];
  const path = own.write({
    functions: [{ name: "base", artefact: "base.zip", permissions: { statements } }],
  });
  const refused = deploy([], { functions: path });
  await expect(refused).rejects.toThrow(
    `${path}: functions.0.permissions.statements.0.actions.0: found "dynamodb"; allowed: an action as IAM names it, for example dynamodb:GetItem`,
  );
});

describe("kelvin deploy", () => {
  it("refuses context that means nothing before it looks for an account", async () => {
    await expect(deploy(["-c", "keepResult=true"])).rejects.toThrow(
      'context: found "keepResult"; allowed: one of stack, functions,',
    );
    await expect(deploy(["--context=memory=64"])).rejects.toThrow("memory");
  });

  it("takes the stack's name from --stack, from its context, from both if they agree, or its own", () => {
    expect(stackName("Mine")).toBe("Mine");
    expect(stackName(undefined, ["-c", "stack=Mine", "--context", "memory=128"])).toBe("Mine");
    expect(stackName("Mine", ["--profile", "sandbox", "--context=stack=Mine"])).toBe("Mine");
    expect(stackName(undefined, ["-c", "memory=128"])).toBe("Kelvin");
    expect(() => stackName("Mine", ["-c", "stack="])).toThrow('found ["Mine","Kelvin"]');
  });

  it("says what a first deploy makes and builds", async () => {
    const deployed = await readDeployed(
      ["-c", "memory=128", "-c", "variants=rust,python"],
      undefined,
    );
    const [what, builds] = describeFirstDeploy(deployed);
    expect(what).toBe("the first deploy of 3 measured functions (dynamodb)");
    expect(builds).toMatch(/^builds first, once: dynamodb-rust/);
  });
});

it("variables in clear text that look like secrets are named, and others are not", () => {
  const environment = { DB_PASSWORD: "hunter22", LOG_LEVEL: "error" };
  const told = describeClearSecrets({
    schemaVersion: 1,
    functions: [{ name: "base", artefact: "base.zip", environment }],
    events: [{ name: "get", payload: {} }],
  });
  expect(told).toHaveLength(1);
  expect(told[0]).toMatch(/^base: DB_PASSWORD looks like a secret and is in clear text/);
  expect(told[0]).not.toContain("hunter22");
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
