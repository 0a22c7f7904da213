import { gateHead, gateRows, publishedGate } from "./gate-study/study.ts";
import { runStudy } from "./study-command.ts";

// The table of docs/regression-gate.md.

const rows = (rounds: number) => gateRows({ ...publishedGate, rounds });
await runStudy({
  name: "study:gate",
  description: "holds two builds of one run against two runs, under a load made on purpose",
  runs: { option: "rounds", help: "runs a share", published: publishedGate.rounds },
  tables: [{ name: "gate", head: gateHead, rows }],
});
