import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { describeFailures } from "../../bin/run/functions-run.ts";
import { functionsFile } from "../../bin/run/measure-choice.ts";
import { writeFunctionsFile } from "../../lib/functions/functions-file.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const folder = temporaryFolder();
const inFolder = (name: string, text = "") => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};

describe("the words of kelvin measure", () => {
  it("stand for a functions file: the first artefact is the base, and one event is called invoke", () => {
    expect(functionsFile(["dist/Base.zip", "head"], {})).toEqual({
      schemaVersion: 1,
      functions: [
        { name: "base", artefact: "dist/Base.zip" },
        { name: "head", artefact: "head" },
      ],
      events: [{ name: "invoke", payload: {} }],
    });
  });

  it("name two artefacts of one name base and head", () => {
    const { functions } = functionsFile(["before/function.zip", "after/function.zip"], {});
    expect(functions.map(({ name }) => name)).toEqual(["base", "head"]);
  });

  it("name events after = or after their files, and give each its expectation", () => {
    const get = inFolder("get.json", '{"id":1}');
    const { events } = functionsFile(["a.zip"], {
      event: [get, "put=[1]", 'literal={"a":"b=c"}'],
      expect: ['get={"n":1}'],
      expectStatus: ["200", "put=201"],
    });
    expect(events).toEqual([
      { name: "get", payload: { id: 1 }, expected: { subset: { n: 1 }, statusCode: 200 } },
      { name: "put", payload: [1], expected: { statusCode: 201 } },
      { name: "literal", payload: { a: "b=c" }, expected: { statusCode: 200 } },
    ]);
  });

  it("wrap a body as the service does that stands before it", () => {
    const body = inFolder("order.json", '{"id":1}');
    const { events } = functionsFile(["a.zip"], {
      event: [`sqs:${body}`, 'own=eventbridge:{"id":2}', "function-url"],
    });
    expect(events).toMatchObject([
      { name: "order", payload: { Records: [{ body: '{"id":1}' }] } },
      { name: "own", payload: { detail: { id: 2 } } },
      { name: "function-url", payload: { version: "2.0" } },
    ]);
    const [get] = functionsFile(["a.zip"], { event: ["function-url:"] }).events ?? [];
    expect(get?.payload).toMatchObject({ requestContext: { http: { method: "GET" } } });
    expect(() => functionsFile(["a.zip"], { event: ["sqs"] })).toThrow("sqs:body.json");
    expect(() => functionsFile(["a.zip"], { event: ["sqs:"] })).toThrow("sqs:body.json");
    expect(() => functionsFile(["a.zip"], { event: ["sqs:nope.json"] })).toThrow("no such file");
  });

  it("give variables, sizes, tables and buckets", () => {
    const table = '{"TableName":"orders"}';
    const words = {
      env: ["A=1=2", "B="],
      memory: [128],
      timeout: 9,
      table: [table],
      bucket: ["up"],
    };
    expect(functionsFile(["a.zip"], { ...words, bucket: ["uploads"] })).toMatchObject({
      functions: [{ environment: { A: "1=2", B: "" } }],
      memoryMb: [128],
      timeoutSeconds: 9,
      services: { tables: [{ TableName: "orders" }], buckets: ["uploads"] },
    });
    expect(functionsFile(["a.zip"], { service: ["s3"] }).services).toEqual({ buckets: [] });
  });

  it("give what tables and buckets hold when the run begins", async () => {
    const requested = { orders: [{ PutRequest: { Item: { id: { S: "1" } } } }] };
    const words = {
      table: ['orders={"TableName":"other","BillingMode":"PAY_PER_REQUEST"}'],
      items: [JSON.stringify(requested), JSON.stringify({ RequestItems: { more: [] } })],
      bucket: [`uploads=${folder}`, "empty"],
    };
    const file = functionsFile(["a.zip"], words);
    expect(file.services).toEqual({
      tables: [{ TableName: "orders", BillingMode: "PAY_PER_REQUEST" }],
      items: { ...requested, more: [] },
      buckets: ["uploads", "empty"],
      folders: { uploads: folder },
    });
    const path = join(folder, "seeded.json");
    await writeFunctionsFile(path, { ...file, functions: [{ name: "a", artefact: "/a.zip" }] });
    expect(JSON.parse(readFileSync(path, "utf8")).services.folders).toEqual({ uploads: "." });
    expect(functionsFile([], { functions: path }).services).toEqual(file.services);
    const others = functionsFile([], { functions: path, bucket: ["other"] }).services;
    expect(others).toMatchObject({ buckets: ["other"] });
    expect(others).not.toHaveProperty("folders");
    expect(() => functionsFile(["a.zip"], { bucket: ["uploads=/nope"] })).toThrow(
      "--bucket: no such folder: /nope",
    );
  });

  it("change what a functions file says, whose paths are relative to it", async () => {
    const path = join(folder, "functions.json");
    const file = functionsFile([join(folder, "a.zip")], { event: ["get=1"], env: ["A=1"] });
    await writeFunctionsFile(path, file);
    const read = functionsFile([], { functions: path, env: ["B=2"], memory: [256] });
    expect(read).toEqual({
      ...file,
      memoryMb: [256],
      functions: [{ name: "a", artefact: join(folder, "a.zip"), environment: { A: "1", B: "2" } }],
    });
  });

  it.each([
    [[], {}, "nothing to measure: kelvin measure function.zip"],
    [["a.zip"], { env: ["1A=x"] }, "--env takes NAME=value, not 1A=x"],
    [["a.zip"], { event: ["no-such.json"] }, "--event: no such file: no-such.json"],
    [["a.zip"], { event: ["x=1", "x=2"] }, "different names; x occurs more than once"],
    [["a.zip"], { expect: ["put=1"] }, "--expect put=...: there is no event put, only invoke"],
    [["a.zip"], { expectStatus: ["ok"] }, "--expect-status takes a status such as 200, not ok"],
    [
      ["a.zip"],
      { memory: [99999] },
      "--memory takes a whole number of MB from 128 to 10240, not 99999",
    ],
    [
      ["a.zip"],
      { service: ["sns"] },
      "--service takes dynamodb, s3 or both: there is no emulated sns",
    ],
    [
      ["a.zip"],
      { runtime: "go1.x" },
      "--runtime takes provided.al2023, provided.al2, python3.N or nodejsN.x; on AWS also javaN, dotnetN or rubyN.N, not go1.x",
    ],
    [["a.zip"], { memory: [64] }, "--memory takes a whole number of MB from 128 to 10240, not 64"],
    [["a.zip"], { functions: "no-such-file.json" }, "no such file: no-such-file.json"],
  ])("are refused with what was found and what is allowed: %j %j", (artefacts, words, message) => {
    expect(() => functionsFile(artefacts, words)).toThrow(message);
  });
});

describe("after a run", () => {
  it("says which sizes lost trials and why, and how many answers were wrong", () => {
    const failed = { block: 0, type: "Runtime.ExitError", message: "signal: killed" };
    const cellFailures = [
      { ...failed, cellId: "base-x86-64-128" },
      { ...failed, cellId: "base-x86-64-128", block: 1 },
      { ...failed, cellId: "head-x86-64-128" },
    ];
    const counts = { rejected: { "warm-up": 9, "result-wrong": 2 } };
    expect(describeFailures({ counts, cellFailures })).toEqual([
      "base-x86-64-128: signal: killed (2 times)",
      "head-x86-64-128: signal: killed",
      "2 calls did not return the expected answer: they are not counted",
    ]);
    const none = { counts: { rejected: { "warm-up": 9 } }, cellFailures: [] };
    expect(describeFailures(none)).toEqual([]);
  });

  it("are refused where an event is larger than Lambda takes", () => {
    const event = [`"${"x".repeat(6 * 1024 * 1024)}"`];
    expect(() => functionsFile(["a.zip"], { event })).toThrow(
      "event invoke: found 6291458; allowed: at most 6291456 bytes: Lambda takes 6 MB",
    );
  });
});
