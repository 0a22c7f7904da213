import { afterEach, describe, expect, it, vi } from "vitest";
import { installLocalstack, missingForLocalstack } from "../../engines/install-engines.ts";
import { FakeLocalstack } from "../localstack/fake-localstack.ts";

let fake: FakeLocalstack | undefined;

function onPath(token: string, container?: string): FakeLocalstack {
  fake = new FakeLocalstack(token, container);
  for (const [name, value] of Object.entries(fake.environment)) vi.stubEnv(name, value);
  return fake;
}

afterEach(() => {
  fake?.stopAll();
  fake = undefined;
});

describe("LocalStack", () => {
  it("cannot start without its command line, and not without its token, and both are told", () => {
    vi.stubEnv("PATH", "/nowhere");
    expect(missingForLocalstack()).toMatch(/^cannot start: no localstack on PATH/);
    vi.unstubAllEnvs();
    onPath("");
    expect(missingForLocalstack()).toMatch(/^cannot start: no LOCALSTACK_AUTH_TOKEN/);
    fake?.stopAll();
    onPath("good-token");
    expect(missingForLocalstack()).toBeUndefined();
  });

  it("is started once, waited for and stopped before anything is measured, on loopback alone", async () => {
    const localstack = onPath("good-token");
    expect(await installLocalstack(4999)).toMatchObject({ version: "LocalStack CLI 4.9.0" });
    const where = "on 127.0.0.1:PORT as kelvin-localstack-PORT";
    expect(localstack.calls()).toEqual([
      `start -d ${where}`,
      `wait -t 600 ${where}`,
      `stop ${where}`,
    ]);
    expect(localstack.running()).toEqual([]);
  });

  it("that refuses its token is told with what it printed, and without the token", async () => {
    onPath("bad-token-4711");
    const lines: string[] = [];
    const options = { onLine: (line: string) => void lines.push(line) };
    const refused = await installLocalstack(4999, options).catch((error: Error) => error.message);
    expect(refused).toContain("licence asked for with (hidden)");
    expect(lines).toEqual(["licence asked for with (hidden)"]);
    expect(String(refused) + lines.join()).not.toContain("4711");
  });
});
