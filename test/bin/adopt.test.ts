import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { LambdaClient } from "@aws-sdk/client-lambda";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { adopt } from "../../bin/commands/adopt.ts";
import { measure } from "../../bin/commands/measure.ts";
import { adoptingClient, looksSecret } from "../../lib/aws/adopt-function.ts";
import { validated } from "../../lib/contract/validate.ts";
import { readFunctionsFile } from "../../lib/functions/functions-file.ts";
import { CapturedOutput } from "../support/captured-output.ts";
import {
  configFor,
  type FakeRequest,
  type FakeResponse,
  jsonError,
} from "../support/fake-aws/http.ts";

const zip = Buffer.from("PK\u0003\u0004 as it was uploaded");
let server: Server;
beforeAll(async () => {
  server = createServer((request, response) => {
    response.statusCode = request.url === "/code" ? 200 : 403;
    response.end(zip);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});
afterAll(() => void server.close());
const address = (path = "/code") =>
  `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`;

let folder: string;
let output: CapturedOutput;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "kelvin-adopt-"));
  output = new CapturedOutput();
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true, force: true });
});
const out = () => join(folder, "functions.json");
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
  Environment: {
    Variables: { TABLE: "orders", API_KEY: "abc", ISSUER: "AKIAIOSFODNN7EXAMPLE" },
  },
};

/** Lambda that answers GetFunction, and refuses whatever else it is asked. */
function lambda(answer: object | FakeResponse, onRequest = (_: FakeRequest) => {}) {
  const respond = (request: FakeRequest): FakeResponse => {
    onRequest(request);
    const isGet = request.method === "GET" && /^\/2015-03-31\/functions\/[^/]+$/.test(request.path);
    if (!isGet) throw new Error(`asked for ${request.method} ${request.path}`);
    return "status" in answer ? answer : { status: 200, body: JSON.stringify(answer) };
  };
  return new LambdaClient({ ...configFor({ respond }), maxAttempts: 1 });
}
const deployed = (more: object = {}, location = address()) => ({
  Configuration: { ...configuration, ...more },
  Code: { RepositoryType: "S3", Location: location },
});

describe("kelvin adopt", () => {
  it("writes what the function is, and its zip, by GetFunction alone", async () => {
    const requests: string[] = [];
    const client = lambda(deployed(), ({ method, path }) => requests.push(`${method} ${path}`));
    expect(await adopt(arn, { out: out() }, client)).toBe(0);
    expect(requests).toEqual([`GET /2015-03-31/functions/${encodeURIComponent(arn)}`]);
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
    expect(readFileSync(join(folder, "orders-api.zip"))).toEqual(zip);
  });

  it("names secrets without their values, unless it is told to copy them", async () => {
    await adopt(arn, { out: out() }, lambda(deployed()));
    expect(output.stderr).toContain("API_KEY looks like a secret and was not copied");
    const all = output.stderr + output.stdout + readFileSync(out(), "utf8");
    expect(all).not.toMatch(/AKIA|"abc"/);
    rmSync(folder, { recursive: true });
    await adopt(arn, { out: out(), copySecrets: true }, lambda(deployed()));
    const [adopted] = written().functions;
    expect(adopted?.environment).toEqual(configuration.Environment.Variables);
    expect(adopted).not.toHaveProperty("secretNames");
  });

  it("takes an event, and says what a functions file cannot say", async () => {
    writeFileSync(join(folder, "event.json"), '{"id":7}');
    const more = { VpcConfig: { SubnetIds: ["s"] }, EphemeralStorage: { Size: 2048 } };
    await adopt(arn, { out: out(), event: join(folder, "event.json") }, lambda(deployed(more)));
    expect(written().events).toEqual([{ name: "event", payload: { id: 7 } }]);
    expect(output.stderr).toContain("not copied: its VPC");
    expect(output.stderr).toContain("not copied: its /tmp of 2048 MB");
  });

  it.each<[string, () => object | FakeResponse, string]>([
    [
      "an image",
      () => ({ Configuration: { PackageType: "Image" }, Code: {} }),
      "Container images are not supported yet",
    ],
    [
      "another runtime",
      () => deployed({ Runtime: "java21" }),
      'Orders_API: runtime: found "java21"',
    ],
    ["another zip", () => deployed({ CodeSha256: "other" }), "Lambda says other"],
    ["no zip", () => deployed({}, address("/expired")), "could not be downloaded: HTTP 403"],
    [
      "no function",
      () => jsonError(404, "ResourceNotFoundException", "no"),
      "an existing function",
    ],
    [
      "no right",
      () => jsonError(403, "AccessDeniedException", "no"),
      "it requires lambda:GetFunction on arn",
    ],
    [
      "old credentials",
      () => jsonError(403, "ExpiredTokenException", "old"),
      "credentials have expired",
    ],
  ])("leaves nothing behind where there is %s", async (_, answer, message) => {
    await expect(adopt(arn, { out: out() }, lambda(answer()))).rejects.toThrow(message);
    expect(existsSync(folder) ? readdirSync(folder) : []).toEqual([]);
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
    writeFileSync(join(folder, "orders-api.zip"), "mine");
    await expect(adopt(arn, { out: out() }, lambda(deployed()))).rejects.toThrow("nothing is yet");
    expect(readdirSync(folder)).toEqual(["orders-api.zip"]);
  });

  it("asks in the ARN's region", async () => {
    expect(await adoptingClient(arn).config.region()).toBe("eu-west-1");
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
