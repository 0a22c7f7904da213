// Says that it is ready, tries to lock a folder at the moment that it is told, prints whether it did, and holds it.
import { once } from "node:events";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";
import { lockRun } from "../../../lib/local/run-lock.ts";

const [directory = ""] = process.argv.slice(2);
const told = once(createInterface({ input: process.stdin }), "line");
process.stdout.write("ready\n");
const [atEpochMs] = await told;
await delay(Number(atEpochMs) - Date.now());
try {
  const { takenOverFrom } = lockRun("out", directory);
  process.stdout.write(takenOverFrom === undefined ? "locked\n" : "taken over\n");
  await delay(60_000);
} catch (error) {
  process.stdout.write(`${(error as Error).message}\n`);
}
