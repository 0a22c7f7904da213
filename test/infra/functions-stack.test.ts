import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Template } from "aws-cdk-lib/assertions";
import { describe, expect, it } from "vitest";
import type { FunctionsFile, MeasuredFunction } from "../../lib/contract/types/contract.ts";
import { openFunctionsForAws } from "../../lib/functions/functions-for-aws.ts";
import { expand } from "../../lib/plan/expand.ts";
import { matrix } from "../../lib/plan/matrix.ts";
import { elfHeader, functionsFolder } from "../support/functions-file.ts";
import { deployedRoles } from "../support/iam/deployed-roles.ts";
import { decide } from "../support/iam/policy-evaluator.ts";
import { makeZip } from "../support/make-zip.ts";
import { permissionsOf } from "../support/policy-statements.ts";
import { synthStack } from "../support/synth.ts";

const files = functionsFolder();

const base: MeasuredFunction = { name: "base", artefact: "base.zip" };
const opened = (changes?: Partial<FunctionsFile>) => openFunctionsForAws(files.write(changes));
const withBase = (changes: Partial<MeasuredFunction>) =>
  opened({ functions: [{ ...base, ...changes }] });

async function templateOf(
  changes?: Partial<FunctionsFile>,
  context: Readonly<Record<string, string>> = {},
): Promise<Template> {
  return Template.fromStack(synthStack(context, false, await opened(changes)));
}

interface LambdaProperties {
  readonly Description: string;
  readonly Runtime: string;
  readonly Handler: string;
  readonly MemorySize: number;
  readonly Timeout: number;
  readonly Architectures: readonly string[];
  readonly Environment?: { readonly Variables: Readonly<Record<string, string>> };
  readonly Layers?: readonly string[];
  readonly Role: unknown;
  readonly LoggingConfig: { readonly LogFormat: string };
}

/** By the cell's id. */
function measuredFunctions(template: Template): ReadonlyMap<string, LambdaProperties> {
  const all = Object.values(template.findResources("AWS::Lambda::Function"));
  const properties = all.map(({ Properties }) => Properties as LambdaProperties);
  const found = properties.flatMap((each) => {
    const [, cell] = /^Kelvin: \S+, (\S+)$/.exec(each.Description ?? "") ?? [];
    return cell === undefined ? [] : [[cell, each] as const];
  });
  return new Map(found);
}

describe("a stack of a functions file", () => {
  it("has a copy of each function in every size, a second one of the base's smallest, and nothing else to measure", async () => {
    const functions = measuredFunctions(await templateOf());
    expect([...functions.keys()].sort()).toEqual([
      "base-arm64-128",
      "base-arm64-128-replica",
      "base-arm64-512",
      "head-arm64-128",
      "head-arm64-512",
    ]);
    expect(functions.get("base-arm64-512")).toMatchObject({
      Runtime: "python3.13",
      Handler: "lambda_function.lambda_handler",
      MemorySize: 512,
      Timeout: 10,
      Architectures: ["arm64"],
      Environment: { Variables: { LOG_LEVEL: "error" } },
      LoggingConfig: { LogFormat: "Text" },
    });
    expect(functions.get("head-arm64-128")).toMatchObject({
      Runtime: "nodejs24.x",
      Handler: "index.handler",
    });
    expect(functions.get("head-arm64-128")).not.toHaveProperty("Environment");
  });

  it("stands beside the experiments that are named, which the context's sizes are for", async () => {
    const context = { experiments: "compute", variants: "python", memory: "1769" };
    const functions = measuredFunctions(await templateOf(undefined, context));
    expect([...functions.keys()].filter((id) => !/^(base|head)-/.test(id))).toEqual([
      "python-arm64-1769",
    ]);
    expect(functions.size).toBe(6);
  });

  it.each(["memory", "maxMemory", "architectures", "variants"])(
    "takes %s from its file alone",
    async (name) => {
      const functions = await opened();
      expect(() => synthStack({ [name]: "512" }, false, functions)).toThrow(
        `context ${name}: found "512"; allowed: nothing without -c experiments`,
      );
    },
  );

  it("has layers and architectures as the file names them", async () => {
    const layer = "arn:aws:lambda:us-east-1:123456789012:layer:libs:7";
    const functions = measuredFunctions(
      await templateOf({
        functions: [{ ...base, layers: [layer] }],
        architectures: ["x86_64", "arm64"],
      }),
    );
    expect(functions.get("base-x86-64-128")?.Layers).toEqual([layer]);
    expect([...functions.values()].map(({ Architectures }) => Architectures[0]).sort()).toEqual([
      ...["arm64", "arm64", "x86_64", "x86_64", "x86_64"],
    ]);
  });
});

const image = `123456789012.dkr.ecr.us-east-1.amazonaws.com/team/orders@sha256:${"a".repeat(64)}`;

describe("a copy on AWS", () => {
  it("has the settings of the file, and nothing of them where the file has none", async () => {
    const arn = "arn:aws:elasticfilesystem:us-east-1:123456789012:access-point/fsap-0abc";
    const aws = {
      vpc: { subnetIds: ["subnet-1", "subnet-2"], securityGroupIds: ["sg-1"] },
      fileSystems: [{ arn, localMountPath: "/mnt/data" }],
      ephemeralStorageMb: 2048,
      xrayTracing: true,
    };
    const functions = [
      { ...base, aws },
      { name: "head", artefact: "head" },
    ];
    const template = await templateOf({ functions });
    const copies = measuredFunctions(template);
    expect(copies.get("base-arm64-512")).toMatchObject({
      VpcConfig: { SubnetIds: ["subnet-1", "subnet-2"], SecurityGroupIds: ["sg-1"] },
      FileSystemConfigs: [{ Arn: arn, LocalMountPath: "/mnt/data" }],
      EphemeralStorage: { Size: 2048 },
      TracingConfig: { Mode: "Active" },
    });
    for (const name of ["VpcConfig", "FileSystemConfigs", "EphemeralStorage", "TracingConfig"]) {
      expect(copies.get("head-arm64-512")).not.toHaveProperty(name);
    }
    const permissions = permissionsOf(template);
    const policy = "iam::aws:policy/service-role/AWSLambdaVPCAccessExecutionRole";
    expect(permissions).toContain(`functionsbaseRole: managed policy arn:AWS::Partition:${policy}`);
    expect(permissions).toContain("functionsbaseRole: xray:PutTraceSegments on *");
    expect(permissions.filter((line) => /^functionshead.*(VPC|xray)/.test(line))).toEqual([]);
  });

  it("is of the original's image, by its digest, and builds none", async () => {
    const aws = { image: { command: ["app.handler"], workingDirectory: "/var/task" } };
    const template = await templateOf({
      functions: [{ name: "orders", artefact: image, aws }],
      architectures: ["arm64"],
    });
    const copy = measuredFunctions(template).get("orders-arm64-512");
    expect(copy).toMatchObject({
      PackageType: "Image",
      ImageConfig: { Command: ["app.handler"], WorkingDirectory: "/var/task" },
      Architectures: ["arm64"],
      MemorySize: 512,
    });
    expect(copy).not.toHaveProperty("Runtime");
    expect(copy).not.toHaveProperty("Handler");
    expect(JSON.stringify(copy)).toContain(`/team/orders@sha256:${"a".repeat(64)}`);
    expect(Object.keys(template.findResources("AWS::ECR::Repository"))).toEqual([]);
  });

  it("of an image asks for the architecture that it is built for", async () => {
    await expect(opened({ functions: [{ name: "orders", artefact: image }] })).rejects.toThrow(
      "architectures: found nothing; allowed: the one that the image of orders is built for",
    );
  });

  it("runs in every language that Lambda has", async () => {
    writeFileSync(join(files.folder, "app.jar"), makeZip([{ name: "A.class", content: "x" }]));
    const java = {
      artefact: "app.jar",
      runtime: "java25",
      handler: "example.Handler::handleRequest",
    };
    const copies = measuredFunctions(await templateOf({ functions: [{ ...base, ...java }] }));
    expect(copies.get("base-arm64-128")).toMatchObject({
      Runtime: "java25",
      Handler: "example.Handler::handleRequest",
    });
  });
});

describe("what a function of the user's may do", () => {
  const logs = (role: string, group: string) => [
    `${role}: logs:CreateLogStream on ${group}.Arn`,
    `${role}: logs:PutLogEvents on ${group}.Arn`,
  ];
  const tagged = '{"StringEquals":{"aws:ResourceTag/kelvin-measured-by":{"Ref":"AWS::StackId"}}}';
  const kept = (role: string) => `${role}: Deny lambda:* on * if ${tagged}`;
  const ofFunctions = (template: Template) =>
    permissionsOf(template).filter((line) => line.startsWith("functions"));

  it("is to write its own log, where the file says nothing", async () => {
    expect(ofFunctions(await templateOf())).toEqual(
      [
        ...logs("functionsbaseRole", "functionsbaseLogGroup"),
        ...logs("functionsheadRole", "functionsheadLogGroup"),
        kept("functionsbaseRole"),
        kept("functionsheadRole"),
      ].sort(),
    );
  });

  it("is what the file's statements and managed policies say", async () => {
    const table = "arn:aws:dynamodb:us-east-1:123456789012:table/orders";
    const template = await templateOf({
      functions: [
        {
          ...base,
          permissions: {
            managedPolicies: ["AmazonS3ReadOnlyAccess", "arn:aws:iam::123456789012:policy/Own"],
            statements: [{ actions: ["dynamodb:GetItem"], resources: [table] }],
          },
        },
      ],
    });
    expect(ofFunctions(template)).toEqual(
      [
        ...logs("functionsbaseRole", "functionsbaseLogGroup"),
        kept("functionsbaseRole"),
        `functionsbaseRole: dynamodb:GetItem on ${table}`,
        "functionsbaseRole: managed policy arn:AWS::Partition:iam::aws:policy/AmazonS3ReadOnlyAccess",
        "functionsbaseRole: managed policy arn:aws:iam::123456789012:policy/Own",
      ].sort(),
    );
  });

  it("never reaches results or measured functions, even if it may do everything", async () => {
    const everything = [{ actions: ["*"], resources: ["*"] }];
    const template = await templateOf({
      functions: [{ ...base, permissions: { statements: everything } }],
    });
    const roles = deployedRoles(template);
    const [id = ""] = Object.entries(template.findResources("AWS::Lambda::Function"))
      .filter(([, { Properties }]) => Properties.Description === "Kelvin: base, base-arm64-128")
      .map(([logicalId]) => logicalId);
    const { grants } = roles.ofFunction(id);
    const resource = "arn:aws:lambda:us-east-1:123456789012:function:any";
    const tag = "aws:ResourceTag/kelvin-measured-by";
    const mayInvoke = (context: Readonly<Record<string, string>>) =>
      decide(grants, { action: "lambda:InvokeFunction", resource, context }).isAllowed;
    expect(mayInvoke({})).toBe(true);
    const [own] = Object.values(template.findResources("AWS::Lambda::Function")).flatMap(
      ({ Properties }) => Properties.Tags.filter(({ Key }: { Key: string }) => tag.endsWith(Key)),
    );
    expect(own.Value).toEqual({ Ref: "AWS::StackId" });
    const { region, id: account } = roles.account;
    const stackId = `arn:aws:cloudformation:${region}:${account}:stack/Kelvin/1`;
    expect(mayInvoke({ [tag]: stackId })).toBe(false);
    const denied = permissionsOf(template).filter((line) => line.includes("aws:PrincipalArn"));
    const role = expect.stringMatching(/"Fn::GetAtt":\["functionsbaseRole\w+","Arn"\]/);
    expect(denied).toEqual([role, role]);
    expect(denied.map((line) => line.split(" by ")[0])).toEqual([
      "AWS::S3::BucketPolicy: Deny s3:* on ResultsBucket.Arn",
      "AWS::S3::BucketPolicy: Deny s3:* on ResultsBucket.Arn/*",
    ]);
  });

  it("is what an existing role may, to which nothing is added and which the results are kept from", async () => {
    const roleArn = "arn:aws:iam::123456789012:role/app/Orders";
    const template = await templateOf({
      functions: [
        { ...base, permissions: { roleArn } },
        { name: "head", artefact: "head", permissions: { roleArn } },
      ],
    });
    expect(ofFunctions(template)).toEqual([]);
    const functions = [...measuredFunctions(template).values()];
    expect(new Set(functions.map(({ Role }) => Role))).toEqual(new Set([roleArn]));
    const condition = `if {"ArnEquals":{"aws:PrincipalArn":["${roleArn}"]}}`;
    expect(permissionsOf(template).filter((line) => line.endsWith(condition))).toHaveLength(2);
  });
});

describe("a functions file for AWS", () => {
  it("is told with what was found in its artefacts, and what does not apply", async () => {
    const { notes } = await opened({ services: { buckets: ["uploads"] } });
    expect(notes).toEqual([
      expect.stringMatching(
        /^base: \S+base\.zip \(1 KB\), python3\.13, lambda_function\.lambda_handler \(found in the artefact\)$/,
      ),
      expect.stringMatching(/^head: \S+head \(1 KB\), nodejs24\.x, index\.handler/),
      "services are emulated on one machine alone: on AWS the functions call AWS",
    ]);
  });

  it("has each architecture's own artefact, on both without being told so", async () => {
    mkdirSync(join(files.folder, "arm"));
    writeFileSync(join(files.folder, "arm", "bootstrap"), elfHeader(183), { mode: 0o755 });
    const native = {
      ...{ name: "native", artefact: "native", artefactByArchitecture: { arm64: "arm" } },
    };
    const { architectures, experiment } = await opened({ functions: [native], memoryMb: [128] });
    expect(architectures).toEqual(["arm64", "x86_64"]);
    expect(experiment.variants[0]?.source).toMatchObject({
      folder: join(files.folder, "native"),
      byArchitecture: { arm64: { folder: join(files.folder, "arm") } },
    });
    const template = await templateOf({ functions: [native], memoryMb: [128] });
    const all = Object.values(template.findResources("AWS::Lambda::Function"));
    const codeOf = (architecture: string) =>
      all.flatMap(({ Properties }) =>
        /^Kelvin: native/.test(Properties.Description ?? "") &&
        Properties.Architectures.includes(architecture)
          ? [JSON.stringify(Properties.Code)]
          : [],
      );
    const [arm, x86] = ["arm64", "x86_64"].map((each) => new Set(codeOf(each)));
    expect([arm?.size, x86?.size]).toEqual([1, 1]);
    expect(arm).not.toEqual(x86);
    await expect(opened({ functions: [native], architectures: ["arm64"] })).resolves.toBeDefined();
    const swapped = { ...native, artefactByArchitecture: { arm64: "native" }, artefact: "arm" };
    await expect(opened({ functions: [swapped] })).rejects.toThrow(
      'native: bootstrap: found "a binary for x86_64"; allowed: one for arm64',
    );
  });

  it("declares what its functions differ in to the state machine", async () => {
    const quiet = { ...base, name: "quiet", differsFrom: "base", environment: { LOG_LEVEL: "x" } };
    const { experiment } = await opened({ functions: [base, quiet] });
    expect(experiment.factors).toEqual([
      { factor: "environment variable LOG_LEVEL", variant: "quiet", baseline: "base" },
    ]);
    const cells = matrix(experiment, {
      ...{ variants: ["base", "quiet"], memoryMb: [128], architectures: ["arm64"] as const },
    });
    const choice = {
      runId: "run",
      target: "aws",
      createdAt: "2026-11-01T08:00:00.000Z",
      seed: 1,
      preset: "quick",
      lanes: 1,
    } as const;
    expect(expand(experiment, cells, choice).factors).toEqual(experiment.factors);
    const alone = cells.filter(({ variant }) => variant === "base");
    expect(expand(experiment, alone, choice)).not.toHaveProperty("factors");
  });

  it("has the architecture that its machine code is for", async () => {
    const native = { name: "native", artefact: "native" };
    expect((await opened({ functions: [native] })).architectures).toEqual(["x86_64"]);
    await expect(opened({ functions: [native], architectures: ["arm64"] })).rejects.toThrow(
      'native: bootstrap: found "a binary for x86_64"; allowed: one for arm64',
    );
    const library = makeZip([
      { name: "lambda_function.py", content: "def lambda_handler(e, c): pass\n" },
      { name: "lib/fast.so.1", content: elfHeader(183) },
    ]);
    writeFileSync(join(files.folder, "library.zip"), library);
    const arm = { name: "arm", artefact: "library.zip" };
    expect((await opened({ functions: [arm] })).architectures).toEqual(["arm64"]);
    await expect(opened({ functions: [arm], architectures: ["x86_64"] })).rejects.toThrow(
      'arm: lib/fast.so.1: found "machine code for arm64"; allowed: some for x86_64',
    );
    await expect(opened({ functions: [arm, native] })).rejects.toThrow("architectures: found");
  });

  it.each([
    ["a timeout longer than a driver", { timeoutSeconds: 601 }, "timeoutSeconds: found 601"],
    [
      "events larger than a state may be",
      { events: [{ name: "get", payload: "x".repeat(100_001) }] },
      "events: found 1",
    ],
  ] as const)("is refused with %s", async (_, changes, message) => {
    await expect(templateOf(changes as unknown as Partial<FunctionsFile>)).rejects.toThrow(message);
  });

  it.each([
    ["a variable that Lambda reserves", { environment: { AWS_REGION: "x" } }, '"AWS_REGION"'],
    ["the variable that makes a copy cold", { environment: { KELVIN_NONCE: "" } }, "KELVIN_NONCE"],
    ["a variable of one letter", { environment: { A: "x" } }, "two or more letters"],
    ["too many variables", { environment: { LONG: "x".repeat(3965) } }, "found 3969"],
    ["a secret without its value", { secretNames: ["TOKEN"] }, 'secretNames: found ["TOKEN"]'],
    [
      "an existing role and more permissions",
      { permissions: { roleArn: "arn:aws:iam::123456789012:role/R", managedPolicies: [] } },
      'permissions: found ["roleArn","managedPolicies"]',
    ],
    ["a role that is no ARN", { permissions: { roleArn: "Orders" } }, "roleArn: found"],
    ["a layer without a version", { layers: ["arn:aws:lambda:x:1:layer:l"] }, "layers"],
    ["a zip of another name", { artefact: "base.egg" }, "a name that ends with .zip or .jar"],
    [
      "an image by its tag",
      { artefact: "123456789012.dkr.ecr.us-east-1.amazonaws.com/orders:latest" },
      "what a tag means may change",
    ],
    ["an image with a handler", { artefact: image, handler: "a.b" }, "base: handler: found"],
    ["an image's settings and a zip", { aws: { image: {} } }, "base: aws.image: found {}"],
    ["a size of /tmp that Lambda has not", { aws: { ephemeralStorageMb: 256 } }, "512 to 10240"],
    [
      "Java without its handler",
      { artefact: "app.jar", runtime: "java25" },
      "app.jar shows no handler for java25",
    ],
  ] as const)("is refused with %s", async (_, changes, message) => {
    const python = { name: "lambda_function.py", content: "def lambda_handler(e, c): pass\n" };
    writeFileSync(join(files.folder, "base.egg"), makeZip([python]));
    await expect(withBase(changes as unknown as Partial<MeasuredFunction>)).rejects.toThrow(
      message,
    );
  });

  it("may leave the bootstrap to a layer, whose content is only on AWS", async () => {
    const custom = { runtime: "provided.al2023", handler: "app.main" };
    await expect(withBase(custom)).rejects.toThrow("bootstrap: found nothing");
    const layers = ["arn:aws:lambda:us-east-1:123456789012:layer:bash:8"];
    await expect(withBase({ ...custom, layers })).resolves.toBeDefined();
  });

  it("has secrets whose values are there", async () => {
    const given = { environment: { TOKEN: "secret" }, secretNames: ["TOKEN"] };
    await expect(withBase(given)).resolves.toBeDefined();
  });
});
