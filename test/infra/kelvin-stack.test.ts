import { Match, Template } from "aws-cdk-lib/assertions";
import { describe, expect, it } from "vitest";
import { awsRunModel } from "../../lib/cost/run-model.ts";
import { synthStack, synthTemplate } from "../support/synth.ts";
import { templateOutline } from "./template-outline.ts";

const started = process.cpuUsage();
const template = Template.fromStack(synthStack());
const { user, system } = process.cpuUsage(started);
/** Of the processor: a busy machine takes longer by the clock. */
const synthMs = (user + system) / 1000;
const resources = template.toJSON().Resources as Record<
  string,
  { Type: string; DeletionPolicy?: string; UpdateReplacePolicy?: string; Properties: object }
>;
const idsOf = (type: string) => Object.keys(template.findResources(type));
const functionsWhere = (runtime: RegExp) =>
  Object.values(template.findResources("AWS::Lambda::Function"))
    .map((found) => found.Properties)
    .filter((properties) => runtime.test(properties.Runtime));
const measured = functionsWhere(/^(provided|python)/);

describe("synthesis", () => {
  it("without building takes less than 15 seconds", () => {
    expect(synthMs).toBeLessThan(15_000);
  });

  it("gives the template that a reader can open beside this test", async () => {
    const outline = templateOutline(synthTemplate({ memory: "128" }));
    await expect(outline).toMatchFileSnapshot("__snapshots__/one-size.template.txt");
  });
});

describe("what holds data", () => {
  it("keeps its logical ids: another id would replace it", () => {
    expect(idsOf("AWS::DynamoDB::Table")).toEqual(["dynamodbdataTable0E51638E"]);
    expect(idsOf("AWS::S3::Bucket")).toEqual(["ResultsBucket46167C27"]);
  });

  it("has no physical name", () => {
    const named = Object.values(resources)
      .filter(({ Type }) => Type.startsWith("AWS::"))
      .flatMap(({ Properties }) => Object.keys(Properties))
      .filter((name) => /^(Table|Bucket|Function|LogGroup|StateMachine|Role)Name$/.test(name));
    expect(named).toEqual([]);
  });
});

it("the results bucket is private, encrypted, and answers over TLS only", () => {
  template.hasResourceProperties("AWS::S3::Bucket", {
    PublicAccessBlockConfiguration: {
      BlockPublicAcls: true,
      BlockPublicPolicy: true,
      IgnorePublicAcls: true,
      RestrictPublicBuckets: true,
    },
    BucketEncryption: Match.anyValue(),
  });
  template.hasResourceProperties("AWS::S3::BucketPolicy", {
    PolicyDocument: {
      Statement: Match.arrayWith([
        Match.objectLike({
          Effect: "Deny",
          Condition: { Bool: { "aws:SecureTransport": "false" } },
        }),
      ]),
    },
  });
});

it("the table is on-demand, with the keys of the experiment", () => {
  template.hasResourceProperties("AWS::DynamoDB::Table", {
    BillingMode: "PAY_PER_REQUEST",
    KeySchema: [
      { AttributeName: "pk", KeyType: "HASH" },
      { AttributeName: "sk", KeyType: "RANGE" },
    ],
  });
});

describe("the function matrix", () => {
  it("is variant x memory, and the replica: 19 functions", () => {
    expect(measured).toHaveLength(19);
    const sizes = measured.map((properties) => properties.MemorySize).sort((a, b) => a - b);
    const threeOf = (size: number) => [size, size, size];
    expect(sizes).toEqual([128, ...[128, 256, 512, 1024, 1769, 3008].flatMap(threeOf)]);
  });

  it("doubles with both architectures, but for the replica", () => {
    const both = synthTemplate({ memory: "128", architectures: "arm64,x86_64" });
    const architectures = Object.values(both.findResources("AWS::Lambda::Function"))
      .map((found) => found.Properties)
      .filter((properties) => /^(provided|python)/.test(properties.Runtime))
      .map((properties) => properties.Architectures[0]);
    expect(architectures.sort()).toEqual([...Array(4).fill("arm64"), ...Array(3).fill("x86_64")]);
  });

  it("shares archives: one for each variant and architecture at most", () => {
    expect(new Set(measured.map((properties) => properties.Code.S3Key)).size).toBeLessThanOrEqual(
      3,
    );
  });

  it("reads the table's name from the environment, times out as the experiment says, and logs as text", () => {
    const table = { Ref: "dynamodbdataTable0E51638E" };
    for (const properties of measured) {
      expect(properties).toMatchObject({
        Timeout: 30,
        Environment: { Variables: { TABLE_NAME: table } },
        LoggingConfig: { LogFormat: "Text" },
        Architectures: ["arm64"],
      });
      expect(Object.keys(properties.Environment.Variables)).toEqual(["TABLE_NAME"]);
    }
  });

  it("has a role and a log group a variant, which its replica and its sizes share", () => {
    const own = measured.map(({ Description, Role, LoggingConfig }) => {
      const [, variant] = /, (\w+(?:-tuned)?)-arm64-/.exec(Description) ?? [];
      const ids = [Role["Fn::GetAtt"][0], LoggingConfig.LogGroup.Ref];
      return [variant, ...ids.map((id) => id.slice(0, -8))].join(" ");
    });
    expect([...new Set(own)].sort()).toEqual([
      "python dynamodbpythonRole dynamodbpythonLogGroup",
      "rust dynamodbrustRole dynamodbrustLogGroup",
      "rust-tuned dynamodbrusttunedRole dynamodbrusttunedLogGroup",
    ]);
  });
});

describe("every function of the stack", () => {
  const all = functionsWhere(/./);

  it("logs to a group of the stack, so that destroy leaves none behind", () => {
    const groups = idsOf("AWS::Logs::LogGroup");
    expect(groups).toHaveLength(5);
    expect(all).toHaveLength(30);
    for (const { LoggingConfig } of all) expect(groups).toContain(LoggingConfig.LogGroup.Ref);
  });

  it("reserves no concurrency: new accounts have none to give", () => {
    for (const properties of all) {
      expect(properties).not.toHaveProperty("ReservedConcurrentExecutions");
    }
  });
});

describe("the driver", () => {
  const drivers = functionsWhere(/^nodejs24/).filter(({ Description }) =>
    String(Description).startsWith("Kelvin's driver"),
  );

  it("has ten functions on Node 24 and arm64, each with a role of its own", () => {
    expect(drivers).toHaveLength(10);
    expect(new Set(drivers.map((properties) => JSON.stringify(properties.Role))).size).toBe(10);
    for (const { Architectures } of drivers) expect(Architectures).toEqual(["arm64"]);
  });

  it("is on x86_64 where nothing else is: the region may have no arm64", () => {
    const withoutArm = synthTemplate({ memory: "128", architectures: "x86_64" });
    const functions = Object.values(withoutArm.findResources("AWS::Lambda::Function"));
    const architectures = functions.map(({ Properties }) => Properties.Architectures?.[0]);
    expect(architectures).not.toContain("arm64");
    expect(architectures.filter((architecture) => architecture === "x86_64")).toHaveLength(14);
  });

  it("measures with the size that the estimate prices, and for Lambda's whole 15 minutes", () => {
    const measure = drivers.find(({ Description }) => Description.includes("measures one trial"));
    expect(measure).toMatchObject({ MemorySize: awsRunModel.driver.memoryMb, Timeout: 900 });
  });
});

describe("the outputs", () => {
  const outputOf = (id: string) =>
    JSON.stringify(Object.values(template.findOutputs(id))[0]?.Value);

  it("give the state machine's console page, the bucket, the command and the log groups", () => {
    expect(outputOf("StateMachine")).toContain("#/statemachines/view/");
    const hosts = [
      "console.amazonaws.cn",
      "console.amazonaws-us-gov.com",
      "console.aws.amazon.com",
    ];
    for (const host of hosts) expect(outputOf("StateMachine")).toContain(`"${host}"`);
    expect(outputOf("ResultsBucket")).toContain("ResultsBucket46167C27");
    expect(outputOf("FetchResults")).toContain("npx tsx bin/kelvin.ts fetch --bucket ");
    for (const variant of ["rust", "rusttuned", "python"])
      expect(outputOf("LogGroups")).toContain(`dynamodb${variant}LogGroup`);
    expect(outputOf("LogGroups")).toContain("DriverLogGroup525CF05E");
  });
});

it("a function with a pool is told how many workers its size has, and works on no table", () => {
  const context = { experiments: "multicore", memory: "2048,10240", variants: "rust" };
  const pools = Object.values(synthTemplate(context).findResources("AWS::Lambda::Function"))
    .map(({ Properties }) => Properties)
    .filter(({ Runtime }) => /^provided/.test(Runtime))
    .map(({ MemorySize, Environment }) => [MemorySize, Environment.Variables]);
  expect(pools).toEqual([
    [2048, { WORKER_COUNT: "2" }],
    [10_240, { WORKER_COUNT: "6" }],
    [2048, { WORKER_COUNT: "2" }],
  ]);
});
