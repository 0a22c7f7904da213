import { describe, expect, it, vi } from "vitest";
import { importRun } from "../../bin/commands/import.ts";
import { parseSince } from "../../bin/options/option-values.ts";
import { Progress } from "../../bin/progress.ts";
import { readLogGroup } from "../../bin/run/log-group-source.ts";
import { logsClient } from "../../lib/aws/log-group.ts";
import { capturedOutput } from "../support/captured-output.ts";
import { type FakeEvent, FakeLogPages } from "../support/fake-aws/fake-log-pages.ts";
import { jsonError } from "../support/fake-aws/http.ts";
import { formatReport } from "../support/report-line.ts";

const output = capturedOutput();

const startMs = Date.parse("2026-01-05T10:00:00Z");
const report = (id: number, stream = `2026/01/05/[$LATEST]${id % 2}`): FakeEvent => ({
  message: `${formatReport(`request-${id}`, { durationMs: id, memorySizeMb: 128, maxMemoryUsedMb: 38 })}\n`,
  logStreamName: stream,
  timestamp: startMs + id * 1000,
});
const words = { logGroup: "/aws/lambda/hello", since: startMs };
const read = (logs: FakeLogPages) => readLogGroup(words, new Progress(), logs.client);
const expired = jsonError(400, "ExpiredTokenException", "The security token has expired");

describe("a log group", () => {
  it("is read to the page without a token, empty ones between, with streams, times and its name", async () => {
    const logs = new FakeLogPages([[], [report(1), report(2)], [], [report(3)], []]);
    const { source, ending } = await read(logs);
    expect(ending).toBe("whole");
    expect(source).toMatchObject({
      format: "log-group",
      functionNames: ["hello"],
      regions: ["us-east-1"],
      read: 3,
      warnings: [],
    });
    expect(source.invocations).toMatchObject([
      { requestId: "request-1", stream: "2026/01/05/[$LATEST]1" },
      { requestId: "request-2", reportedAt: "2026-01-05T10:00:02.000Z" },
      { requestId: "request-3", stream: "2026/01/05/[$LATEST]1" },
    ]);
    const [first, ...others] = logs.requests;
    expect(first).toMatchObject({ logGroupName: words.logGroup, startTime: startMs });
    expect(first).not.toHaveProperty("nextToken");
    expect(others.map(({ nextToken }) => nextToken)).toEqual([
      "page-4",
      "page-3",
      "page-2",
      "page-1",
    ]);
    const terms = ["REPORT RequestId:", "platform.report", "INIT_START", "Task timed out after"];
    for (const term of terms) {
      expect(first?.filterPattern).toContain(`?"${term}"`);
    }
    expect(String(first?.filterPattern).length).toBeLessThanOrEqual(1024);
  });

  it("that throttles is asked again", async () => {
    vi.spyOn(Math, "random").mockReturnValue(0);
    const throttled = jsonError(400, "ThrottlingException", "Rate exceeded");
    const logs = new FakeLogPages([[report(1)], throttled, [report(2)]]);
    expect((await read(logs)).source.invocations).toHaveLength(2);
    expect(logs.requests).toHaveLength(3);
    const never = new FakeLogPages([throttled, throttled, throttled]);
    await expect(read(never)).rejects.toThrow("ThrottlingException");
  });

  it("is asked eight times by the command's own client", async () => {
    expect(await logsClient({ region: "us-east-1" }).config.maxAttempts()).toBe(8);
  });

  it.each([
    [
      "ResourceNotFoundException",
      'log-group: found "/aws/lambda/hello"; allowed: an existing one in',
    ],
    [
      "AccessDeniedException",
      "it requires logs:FilterLogEvents on arn:aws:logs:us-east-1:ACCOUNT:log",
    ],
    ["InvalidParameterException", "values that CloudWatch Logs accepts"],
    ["ExpiredTokenException", "the AWS credentials have expired"],
    ["UnrecognizedClientException", "AWS refused the credentials"],
  ])("says what to do about %s", async (type, message) => {
    const logs = new FakeLogPages([jsonError(400, type, "no")]);
    await expect(read(logs)).rejects.toThrow(message);
  });

  it("without a report is refused, with the time it was read from", async () => {
    await expect(read(new FakeLogPages([[], []]))).rejects.toThrow(
      "one with reports since 2026-01-05T10:00:00.000Z: 0 events",
    );
  });

  it("that AWS does not read to its end is kept up to there, and says so", async () => {
    const { source, ending } = await read(new FakeLogPages([[report(1), report(2)], expired]));
    expect(ending).toBe("cut");
    expect(source.invocations).toHaveLength(2);
    expect(source.warnings).toEqual([
      expect.stringMatching(
        /^\/aws\/lambda\/hello was read up to 2026-01-05T10:00:02.000Z and no further \(the AWS cred/,
      ),
    ]);
  });

  it("is kept up to where Ctrl-C came", async () => {
    const interrupt = () => {
      process.emit("SIGINT");
      return jsonError(500, "InternalFailure", "the answer that nobody waits for");
    };
    const { source, ending } = await read(new FakeLogPages([[report(1)], interrupt]));
    expect(ending).toBe("interrupted");
    expect(source.invocations).toHaveLength(1);
    expect(source.warnings[0]).toContain("(interrupted): what came later is missing");
    expect(output.stderr).toContain("what was read is kept");
  });
});

describe("the words of a log group", () => {
  it("stand alone, and a time without one is refused", async () => {
    const both = importRun(["a.log"], { logGroup: "g", architecture: "arm64" });
    await expect(both).rejects.toThrow("nothing beside --log-group");
    await expect(importRun(["a.log"], { since: 1 })).rejects.toThrow("with --log-group alone");
    await expect(importRun([], {})).rejects.toThrow("nothing to import");
  });

  it("tell a time as a span back or as ISO 8601", () => {
    vi.spyOn(Date, "now").mockReturnValue(startMs);
    expect(parseSince("7d")).toBe(startMs - 7 * 86_400_000);
    expect(parseSince("90m")).toBe(startMs - 90 * 60_000);
    expect(parseSince("2026-01-05T09:00")).toBe(startMs - 3_600_000);
    expect(parseSince("2026-01-05T11:00+01:00")).toBe(startMs);
    for (const wrong of ["7", "7y", "yesterday", "2026-02-30", "2026-01-06"]) {
      expect(() => parseSince(wrong)).toThrow(/^--since takes /);
    }
  });
});
