// A driver of no engine: tells a start-up time, and does with each operation what its name asks for.
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

const [fault] = process.argv.slice(2);
const say = (value) => process.stdout.write(`${JSON.stringify(value)}\n`);

if (fault === "silent") setInterval(() => {}, 1000);
else if (fault === "refuses") {
  say({ error: { type: "EngineNotStarted", message: "it ended with exit status: 1" } });
} else {
  if (fault !== "none") process.stderr.write(`${fault}\n`);
  const engine = spawn("sleep", ["600"], { stdio: "ignore" });
  say({ startupMs: 12.5 });
  createInterface({ input: process.stdin }).on("line", (operation) => {
    if (operation === "dies") process.exit(3);
    if (operation === "hangs") return;
    const report = { operation, durationMs: 7, latenciesMs: [3, 4], itemsCount: 2 };
    const wrong =
      operation === "lies"
        ? { wrongAnswers: 1, wrongAnswer: "found 1; expected 2" }
        : { wrongAnswers: 0 };
    say({ ...report, ...wrong, memoryUsedKb: engine.pid });
  });
}
