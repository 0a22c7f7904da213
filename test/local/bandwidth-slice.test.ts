import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { narrowBandwidthSlice, readBandwidthSliceMs } from "../../lib/local/bandwidth-slice.ts";

let folder: string;
let files: { readonly setting: string; readonly before: string };
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "kelvin-slice-"));
  files = { setting: join(folder, "slice_us"), before: join(folder, "before") };
  writeFileSync(files.setting, "5000\n");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const sliceMs = () => readBandwidthSliceMs(files.setting);

test("the slice is narrow while it is held, and then what it was", async () => {
  const held = await narrowBandwidthSlice(files);
  expect(sliceMs()).toBe(0.1);
  await held?.restore();
  expect(sliceMs()).toBe(5);
});

test("of two runs at the same time the last one puts back what was there before the first", async () => {
  const first = await narrowBandwidthSlice(files);
  const second = await narrowBandwidthSlice(files);
  await first?.restore();
  expect(sliceMs()).toBe(0.1);
  await second?.restore();
  expect(sliceMs()).toBe(5);
  expect(readdirSync(folder)).toEqual(["slice_us"]);
});

test("a run that is killed has it put back, too", async () => {
  const script = `
    import { narrowBandwidthSlice } from ${JSON.stringify(join(import.meta.dirname, "../../lib/local/bandwidth-slice.ts"))};
    await narrowBandwidthSlice(${JSON.stringify(files)});
    console.log("held");
    setInterval(() => undefined, 1000);
  `;
  const run = spawn(
    process.execPath,
    ["--import", "tsx", "--input-type=module", "--eval", script],
    { stdio: ["ignore", "pipe", "inherit"], detached: true },
  );
  await once(createInterface({ input: run.stdout }), "line");
  expect(sliceMs()).toBe(0.1);
  process.kill(-(run.pid as number), "SIGKILL");
  await vi.waitFor(() => expect(sliceMs()).toBe(5), { timeout: 5000 });
});

test("what a machine does not let be set, or does not have, is left as it is", async () => {
  const absent = { ...files, setting: join(folder, "absent") };
  expect(await narrowBandwidthSlice(absent)).toBeUndefined();
  expect(readBandwidthSliceMs(absent.setting)).toBeUndefined();
});
