import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { startEmulatedService } from "../../lib/local/emulated-services.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

/** A service that is ready, then names two calls that it does not implement, and ends with its standard input. */
const program = `#!/bin/sh
echo '{"service":"s3","endpoint":"http://localhost:1"}'
echo '{"notImplemented":"GetBucketAcl"}'
echo '{"notImplemented":"SelectObjectContent"}'
exec cat
`;

describe.runIf(process.platform === "linux")("an emulated service", () => {
  it("tells of the calls that it does not implement", async () => {
    const folder = temporaryFolder();
    const binary = join(folder, "service");
    writeFileSync(binary, program);
    chmodSync(binary, 0o755);
    const calls: string[] = [];
    const service = await startEmulatedService({
      ...{ binary, service: "s3", tlsDirectory: folder, plainHttp: true },
      onNotImplemented: (call) => void calls.push(call),
    });
    await expect
      .poll(() => calls, { timeout: 20_000 })
      .toEqual(["s3.GetBucketAcl", "s3.SelectObjectContent"]);
    await service.stop();
    expect(service.endpoint).toBe("http://localhost:1");
  });
});
