// Tries to lock a folder at a moment that others try at too; prints whether it did, and holds it.
import { setTimeout as delay } from "node:timers/promises";
import { lockRun } from "../../../lib/local/run-lock.ts";

const [directory = "", atEpochMs = "0"] = process.argv.slice(2);
await delay(Number(atEpochMs) - Date.now());
try {
  const { takenOverFrom } = lockRun("out", directory);
  process.stdout.write(takenOverFrom === undefined ? "locked\n" : "taken over\n");
  await delay(60_000);
} catch (error) {
  process.stdout.write(`${(error as Error).message}\n`);
}
