import { Resolver } from "node:dns/promises";
import { describe, expect, it } from "vitest";
import { answerQuery, startNameServer } from "../../lib/local/name-server.ts";

/** A query of one name, as resolvers send it. */
function queryOf(name: string, type = 1): Buffer {
  const labels = name.split(".").flatMap((label) => [label.length, ...Buffer.from(label)]);
  return Buffer.from([0x12, 0x34, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, ...labels, 0, 0, type, 0, 1]);
}

function answered(query: Buffer) {
  const refused: string[] = [];
  const answer = answerQuery(query, (name) => refused.push(name));
  return { answer, refused, code: answer && answer.readUInt16BE(2) & 0xf };
}

describe("the name server of sandboxes", () => {
  it("says that names of services lead nowhere, and tells which were asked for", () => {
    const { refused, code, answer } = answered(queryOf("SQS.us-east-1.amazonaws.com"));
    expect(refused).toEqual(["sqs.us-east-1.amazonaws.com"]);
    expect(code).toBe(3);
    expect(answer?.readUInt16BE(0)).toBe(0x1234);
    expect(answer?.readUInt16BE(6)).toBe(0);
  });

  it("leads names below localhost to this machine, as buckets are named", () => {
    const { refused, code, answer } = answered(queryOf("uploads.localhost"));
    expect(refused).toEqual([]);
    expect(code).toBe(0);
    expect([...(answer?.subarray(-4) ?? [])]).toEqual([127, 0, 0, 1]);
  });

  it("has no address of version 6, and no error either", () => {
    const { code, answer } = answered(queryOf("localhost", 28));
    expect(code).toBe(0);
    expect(answer?.readUInt16BE(6)).toBe(0);
  });

  it("does not answer what is no query", () => {
    const query = queryOf("example.com");
    const cut = [0, 5, 12, 16, query.length - 1].map((length) => query.subarray(0, length));
    const isAnswer = Buffer.from(query);
    isAnswer[2] = 0x81;
    const long = Buffer.from(query);
    long[12] = 0xc0;
    for (const each of [...cut, isAnswer, long]) expect(answered(each).answer).toBeUndefined();
  });

  it("is understood by a resolver", async ({ skip }) => {
    const refused: string[] = [];
    const server = await startNameServer((name) => refused.push(name));
    if (server === undefined) return skip("port 53 of loopback is not to be had here");
    try {
      const resolver = new Resolver();
      resolver.setServers([server.address]);
      expect(await resolver.resolve4("uploads.localhost")).toEqual(["127.0.0.1"]);
      await expect(resolver.resolve4("sqs.us-east-1.amazonaws.com")).rejects.toMatchObject({
        code: "ENOTFOUND",
      });
      expect(refused).toEqual(["sqs.us-east-1.amazonaws.com"]);
    } finally {
      await server.stop();
    }
  });
});
