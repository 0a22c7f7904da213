import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { LambdaClient } from "@aws-sdk/client-lambda";
import { describe, expect, it } from "vitest";
import { adopt } from "../../bin/commands/adopt.ts";
import { measure } from "../../bin/commands/measure.ts";
import { adoptingClient, looksSecret } from "../../lib/aws/adopt-function.ts";
import { validated } from "../../lib/contract/validate.ts";
import { readFunctionsFile } from "../../lib/functions/functions-file.ts";
import { capturedOutput } from "../support/captured-output.ts";
import {
  configFor,
  type FakeRequest,
  type FakeResponse,
  jsonError,
} from "../support/fake-aws/http.ts";
import { servedHttp } from "../support/http-server.ts";
import { folderPerTest } from "../support/temporary-folder.ts";

const zip = Buffer.from("PK\u0003\u0004 as it was uploaded");
const address = servedHttp((request, response) => {
  response.statusCode = request.url === "/code" ? 200 : 403;
  response.end(zip);
});

const folder = folderPerTest();
const output = capturedOutput();
const out = () => folder("functions.json");
/** Held to the schema of functions files. */
const written = () => validated("functions", JSON.parse(readFileSync(out(), "utf8")));

const arn = "arn:aws:lambda:eu-west-1:123456789012:function:Orders_API";
const layer = "arn:aws:lambda:eu-west-1:123456789012:layer:libs:7";
const configuration = {
  FunctionName: "Orders_API",
  Runtime: "python3.13",
  Handler: "app.handler",
  Role: "arn:aws:iam::123456789012:role/orders",
  MemorySize: 512,
  Timeout: 12,
  PackageType: "Zip",
  Architectures: ["arm64"],
  CodeSha256: createHash("sha256").update(zip).digest("base64"),
  Layers: [{ Arn: layer }],
  Environment: { Variables: { TABLE: "orders", API_KEY: "abc", ISSUER: "AKIAIOSFODNN7EXAMPLE" } },
};

/** Lambda that answers GetFunction, and of other calls those that are given, by the end of their path. */
function lambda(
  answer: object | FakeResponse,
  onRequest = (_: FakeRequest) => {},
  others: Readonly<Record<string, FakeResponse>> = {},
) {
  const respond = (request: FakeRequest): FakeResponse => {
    onRequest(request);
    const [, rest = ""] = /^\/[\d-]+\/functions\/[^/]+(?:\/([\w-]+).*)?$/.exec(request.path) ?? [];
    if (request.method !== "GET") throw new Error(`asked for ${request.method} ${request.path}`);
    if (rest !== "") return others[rest] ?? jsonError(404, "ResourceNotFoundException", "none");
    return "status" in answer ? answer : { status: 200, body: JSON.stringify(answer) };
  };
  return new LambdaClient({ ...configFor({ respond }), maxAttempts: 1 });
}
const deployed = (more: object = {}, location = address("/code")) => ({
  Configuration: { ...configuration, ...more },
  Code: { RepositoryType: "S3", Location: location },
});

const refusal = (status: number, type: string) => jsonError(status, type, "no");

describe("kelvin adopt", () => {
  it("writes what the function is, and its zip, and only reads", async () => {
    const requests: string[] = [];
    const client = lambda(deployed(), ({ method, path }) => requests.push(`${method} ${path}`));
    expect(await adopt(arn, { out: out() }, client)).toBe(0);
    expect(requests).toEqual([
      `GET /2015-03-31/functions/${encodeURIComponent(arn)}`,
      `GET /2021-07-20/functions/${encodeURIComponent(arn)}/runtime-management-config`,
    ]);
    expect(written()).toEqual({
      schemaVersion: 1,
      functions: [
        {
          name: "orders-api",
          artefact: "orders-api.zip",
          runtime: "python3.13",
          handler: "app.handler",
          environment: { TABLE: "orders" },
          secretNames: ["API_KEY", "ISSUER"],
          layers: [layer],
          permissions: { roleArn: configuration.Role },
        },
      ],
      architectures: ["arm64"],
      memoryMb: [512],
      timeoutSeconds: 12,
      events: [{ name: "event", payload: {} }],
    });
    expect(readFileSync(folder("orders-api.zip"))).toEqual(zip);
  });

  it("names secrets without their values, unless it is told to copy them", async () => {
    await adopt(arn, { out: out() }, lambda(deployed()));
    expect(output.stderr).toContain("API_KEY looks like a secret and was not copied");
    const all = output.stderr + output.stdout + readFileSync(out(), "utf8");
    expect(all).not.toMatch(/AKIA|"abc"/);
    rmSync(folder(), { recursive: true });
    await adopt(arn, { out: out(), copySecrets: true }, lambda(deployed()));
    const [adopted] = written().functions;
    expect(adopted?.environment).toEqual(configuration.Environment.Variables);
    expect(adopted).not.toHaveProperty("secretNames");
  });

  it("takes an event", async () => {
    writeFileSync(folder("event.json"), '{"id":7}');
    await adopt(arn, { out: out(), event: folder("event.json") }, lambda(deployed()));
    expect(written().events).toEqual([{ name: "event", payload: { id: 7 } }]);
  });

  it("tells when the runtime is deprecated and blocked", async () => {
    await adopt(arn, { out: out() }, lambda(deployed()));
    expect(output.stderr).toContain("python3.13: deprecated on 2029-06-30; creating functions is");
  });

  it.each<[string, () => object | FakeResponse, string]>([
    [
      "another runtime",
      () => deployed({ Runtime: "go1.x" }),
      'runtime: found "go1.x"; allowed: provided.al2023',
    ],
    [
      "more memory than functions files have",
      () => deployed({ MemorySize: 32_768 }),
      ": found 32768; allowed: a whole number of MB from 128 to 10240",
    ],
    ["another zip", () => deployed({ CodeSha256: "other" }), "Lambda says other"],
    ["no zip", () => deployed({}, address("/expired")), "could not be downloaded: HTTP 403"],
    [
      "no function",
      () => refusal(404, "ResourceNotFoundException"),
      "an existing function: aws lambda list-functions --region",
    ],
    ["no right", () => refusal(403, "AccessDeniedException"), "it requires lambda:GetFunction on"],
    ["old credentials", () => refusal(403, "ExpiredTokenException"), "credentials have expired"],
  ])("leaves nothing behind where there is %s", async (_, answer, message) => {
    await expect(adopt(arn, { out: out() }, lambda(answer()))).rejects.toThrow(message);
    expect(existsSync(folder()) ? readdirSync(folder()) : []).toEqual([]);
  });

  it("writes what kelvin measure reads, with the zip beside the file", async () => {
    await adopt(arn, { out: out() }, lambda(deployed()));
    const [adopted] = readFunctionsFile(out()).functions;
    expect(readFileSync(adopted?.artefact ?? "")).toEqual(zip);
  });

  it("leaves layers to AWS: kelvin measure says where to put what they hold", async () => {
    await adopt(arn, { out: out() }, lambda(deployed()));
    expect(output.stderr).toContain(`layers stay on AWS: ${layer}`);
    await expect(measure([], { functions: out(), preset: "quick" })).rejects.toThrow(
      `orders-api: layers: found ["${layer}"]; allowed: none on this machine, unless their content is given: --layer DIR_OR_ZIP for each`,
    );
  });

  it("overwrites nothing", async () => {
    writeFileSync(folder("orders-api.zip"), "mine");
    await expect(adopt(arn, { out: out() }, lambda(deployed()))).rejects.toThrow("exists already");
    expect(readdirSync(folder())).toEqual(["orders-api.zip"]);
  });

  it("asks in the ARN's region", async () => {
    expect(await adoptingClient(arn).config.region()).toBe("eu-west-1");
  });
});

describe("a copy of a deployed function", () => {
  // https://docs.aws.amazon.com/lambda/latest/api/API_FunctionConfiguration.html
  it("has the VPC, file systems, /tmp and tracing of the original", async () => {
    const accessPoint = "arn:aws:elasticfilesystem:eu-west-1:123456789012:access-point/fsap-0abc";
    const settings = {
      VpcConfig: { SubnetIds: ["subnet-1"], SecurityGroupIds: ["sg-1"], VpcId: "vpc-1" },
      FileSystemConfigs: [{ Arn: accessPoint, LocalMountPath: "/mnt/data" }],
      EphemeralStorage: { Size: 2048 },
      TracingConfig: { Mode: "Active" },
    };
    await adopt(arn, { out: out() }, lambda(deployed(settings)));
    expect(written().functions[0]?.aws).toEqual({
      vpc: { subnetIds: ["subnet-1"], securityGroupIds: ["sg-1"] },
      fileSystems: [{ arn: accessPoint, localMountPath: "/mnt/data" }],
      ephemeralStorageMb: 2048,
      xrayTracing: true,
    });
    expect(output.stderr).not.toMatch(/^not copied/m);
  });

  it("has Lambda's own settings where the original has", async () => {
    const settings = {
      VpcConfig: { SubnetIds: [], SecurityGroupIds: [], VpcId: "" },
      EphemeralStorage: { Size: 512 },
      TracingConfig: { Mode: "PassThrough" },
      SnapStart: { ApplyOn: "None" },
      LoggingConfig: { LogFormat: "Text" },
    };
    await adopt(arn, { out: out() }, lambda(deployed(settings)));
    expect(written().functions[0]).not.toHaveProperty("aws");
    expect(output.stderr).not.toMatch(/^not copied/m);
  });

  it.each([
    ["java21", "example.Handler::handleRequest"],
    ["java17.al2023", "example.Handler::handleRequest"],
    ["dotnet10", "Function::Function.Function::Handle"],
    ["ruby3.4", "app.handler"],
    ["nodejs26.x", "index.handler"],
    ["python3.15", "app.handler"],
  ])("runs on %s as the original", async (Runtime, Handler) => {
    await adopt(arn, { out: out() }, lambda(deployed({ Runtime, Handler })));
    expect(written().functions[0]).toMatchObject({ runtime: Runtime, handler: Handler });
  });

  it.each([
    [{ SnapStart: { ApplyOn: "PublishedVersions" } }, "SnapStart: a copy initialises"],
    [{ LoggingConfig: { LogFormat: "JSON" } }, "the JSON format of its logs: a copy logs as text"],
    [{ KMSKeyArn: "arn:aws:kms:eu-west-1:1:key/k" }, "its KMS key (arn:aws:kms:eu-west-1:1:key/k)"],
    [{ SigningProfileVersionArn: "arn:aws:signer:eu-west-1:1:/p/v" }, "code signing: signatures"],
    [
      { Environment: { Error: { ErrorCode: "AccessDenied", Message: "no key" } } },
      "its environment variables, which could not be read (no key)",
    ],
  ])("lacks what is named with what it changes: %j", async (more, text) => {
    await adopt(arn, { out: out() }, lambda(deployed(more)));
    expect(output.stderr).toContain(`not copied: ${text}`);
  });

  it("lacks reserved concurrency and self-managed storage, which GetFunction names", async () => {
    const { Configuration, Code } = deployed();
    const ResolvedS3Object = { S3Bucket: "code", S3Key: "orders.zip", S3ObjectVersion: "1" };
    const Concurrency = { ReservedConcurrentExecutions: 7 };
    const client = lambda({ Configuration, Code: { ...Code, ResolvedS3Object }, Concurrency });
    await adopt(arn, { out: out() }, client);
    expect(output.stderr).toContain("not copied: reserved concurrency (7): a copy uses");
    expect(output.stderr).toContain("not copied: self-managed storage: a copy's code");
  });

  const answered = (body: object): FakeResponse => ({ status: 200, body: JSON.stringify(body) });
  it.each<[string, Readonly<Record<string, FakeResponse>>, readonly string[]]>([
    [
      "named",
      {
        "runtime-management-config": answered({ UpdateRuntimeOn: "Manual" }),
        "provisioned-concurrency": answered({ RequestedProvisionedConcurrentExecutions: 5 }),
        aliases: answered({
          FunctionVersion: "3",
          RoutingConfig: { AdditionalVersionWeights: { 4: 0.1 } },
        }),
      },
      [
        "a pinned runtime version: a copy has the newest one, where the original's mode is Manual",
        "provisioned concurrency: callers of the original's 5 environments wait for no Init",
        "a weighted alias: a copy is of version 3, and the original also runs 4",
      ],
    ],
    [
      "not known",
      Object.fromEntries(
        ["runtime-management-config", "provisioned-concurrency", "aliases"].map((path) => [
          path,
          refusal(403, "AccessDeniedException"),
        ]),
      ),
      ["a pinned runtime version", "provisioned concurrency", "a weighted alias"].map(
        (what) => `${what}, if it has any: not known (no)`,
      ),
    ],
    ["absent", { "runtime-management-config": answered({ UpdateRuntimeOn: "Auto" }) }, []],
  ])("lacks what only other calls answer, which is %s", async (_, others, texts) => {
    const client = lambda(deployed({ FunctionArn: `${arn}:live` }), undefined, others);
    await adopt(`${arn}:live`, { out: out() }, client);
    const notCopied = [...output.stderr.matchAll(/^not copied: (.*)$/gm)].map(([, text]) => text);
    expect(notCopied).toEqual(texts);
  });

  // https://docs.aws.amazon.com/lambda/latest/api/API_FunctionCodeLocation.html
  it("is of the image's digest, whatever its tag means later", async () => {
    const repository = "123456789012.dkr.ecr.eu-west-1.amazonaws.com/orders";
    const resolved = `${repository}@sha256:${"a".repeat(64)}`;
    const { Runtime: _, Handler: __, Layers: ___, ...others } = configuration;
    const ImageConfigResponse = { ImageConfig: { Command: ["app.handler"] } };
    const answer = {
      Configuration: { ...others, PackageType: "Image", ImageConfigResponse },
      Code: { RepositoryType: "ECR", ImageUri: `${repository}:latest`, ResolvedImageUri: resolved },
    };
    await adopt(arn, { out: out() }, lambda(answer));
    expect(written().functions[0]).toMatchObject({
      artefact: resolved,
      aws: { image: { command: ["app.handler"] } },
    });
    expect(readdirSync(folder())).toEqual(["functions.json"]);
    expect(readFunctionsFile(out()).functions[0]?.artefact).toBe(resolved);
  });

  it.each([
    [
      "Lambda Managed Instances",
      { CapacityProviderConfig: { LambdaManagedInstancesCapacityProviderConfig: {} } },
      "there is no cold start to measure",
    ],
    ["a durable function", { DurableConfig: { ExecutionTimeout: 60 } }, "several invocations"],
    [
      "tenant isolation",
      { TenancyConfig: { TenantIsolationMode: "PER_TENANT" } },
      "each tenant has environments of its own",
    ],
  ])("is refused of %s, with the reason", async (what, more, reason) => {
    const client = lambda(deployed({ ...more, MemorySize: 32_768 }));
    const refused = adopt(arn, { out: out() }, client);
    await expect(refused).rejects.toThrow(`Orders_API: found "${what}"`);
    await expect(refused).rejects.toThrow(reason);
    expect(readdirSync(folder())).toEqual([]);
  });

  it.each([
    ["web-function/shop", "a Web Function answers HTTP"],
    ["microvm-image:base", "a MicroVM is started and stopped by its owner"],
    ["layer:libs:7", "allowed: a function"],
  ])("is refused of %s before AWS is asked", async (resource, reason) => {
    const other = `arn:aws:lambda:eu-west-1:123456789012:${resource}`;
    const client = lambda(deployed(), () => {
      throw new Error("asked");
    });
    await expect(adopt(other, { out: out() }, client)).rejects.toThrow(reason);
  });

  it("is refused with Lambda's own reason where the code cannot be had", async () => {
    const Code = { Error: { ErrorCode: "AccessDenied", Message: "no use of the key of the zip" } };
    const answer = { Configuration: configuration, Code };
    await expect(adopt(arn, { out: out() }, lambda(answer))).rejects.toThrow(
      "AccessDenied: no use of the key of the zip",
    );
  });
});

describe("an environment variable", () => {
  it.each([
    ["API_KEY", "abc"],
    ["stripeSecretKey", "x"],
    ["DBPASSWORD", "hunter"],
    ["SENTRY_DSN", "https://o1.ingest"],
    ["DATABASE", "postgres://app:pw@db/orders"],
    ["ID", "AKIAIOSFODNN7EXAMPLE"],
    ["BEARER", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln"],
    ["SEED", "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"],
    ["CLIENT", "f47ac10b-58cc-4372-a567-0e02b2c3d479"],
  ])("is taken for a secret: %s=%s", (name, value) => {
    expect(looksSecret(name, value)).toBe(true);
  });

  it.each([
    ["TABLE", "orders"],
    ["TABLE_NAME", "OrdersStack-TableCD117FA1-1DAY5TRXHQGU7"],
    ["DB_SECRET_ARN", "arn:aws:secretsmanager:eu-west-1:1:secret:db-AbCdEf"],
    ["LOG_LEVEL", "DEBUG"],
    ["NODE_OPTIONS", "--enable-source-maps"],
    ["URL", "https://example.com/v1/orders?limit=10"],
    ["MONKEY_MODE", "on"],
    ["PATHS", "/opt/python/lib/python3.13/site-packages"],
  ])("is taken for none: %s=%s", (name, value) => {
    expect(looksSecret(name, value)).toBe(false);
  });
});
