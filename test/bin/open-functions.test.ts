import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { measure } from "../../bin/commands/measure.ts";
import { captureOutput } from "../support/captured-output.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const folder = temporaryFolder();
beforeEach(() => void captureOutput());

function write(name: string, text: string, mode = 0o644): void {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), text, { mode });
}
write("node/index.js", "exports.handler = async () => 1;");
write("layer/extensions/watcher", "text", 0o755);
write("layer/bin/wrapper", "#!/bin/sh", 0o644);

const own = process.versions.node.split(".")[0];

describe("before anything is measured, kelvin measure refuses", () => {
  const named = 'node: AWS_LAMBDA_EXEC_WRAPPER: found "/opt/bin/wrapper"; allowed: an executable';
  it.each([
    [{ env: ["AWS_REGION=eu-west-1"] }, 'node: environment: found "AWS_REGION"'],
    [{ env: [`LONG=${"x".repeat(4096)}`] }, "node: environment: found 4100; allowed: at most"],
    [{ env: ["AWS_LAMBDA_EXEC_WRAPPER=/opt/bin/wrapper"] }, named],
    [{ layer: [join(folder, "layer")] }, 'node: extensions: found "watcher"; allowed: programs'],
    [{ layer: [join(folder, "none")] }, "layer: no such file: "],
    [{ runtime: "nodejs12.x" }, 'runtime: found "nodejs12.x"; allowed: nodejs18.x'],
    [{ runtime: "python3.99" }, "--any-version"],
  ])("%j", async (words, message) => {
    const out = join(folder, "out");
    const asked = measure([join(folder, "node")], {
      ...{ runtime: `nodejs${own}.x`, handler: "index.handler", preset: "quick", out },
      ...words,
    });
    await expect(asked).rejects.toThrow(message);
  });
});
