import { boundHead, boundRows } from "./gate-study/bounds.ts";
import { busyHead, busyRows } from "./gate-study/busy.ts";
import { meanLimitHead, meanLimitRows } from "./gate-study/mean-limits.ts";
import { outcomeHead, outcomeRows, publishedOutcomes } from "./gate-study/outcomes.ts";
import { runStudy } from "./study-command.ts";

// The tables of docs/regression-gate.md: the gate's answers, those of a busy machine, and the bounds of limits.

/** Bounds use no subsets, or those of one series only, so more runs cost little. */
const boundRunsToOne = 20;
const meanLimitRunsToOne = 10;

await runStudy({
  name: "study:outcomes",
  description: "holds what a gate says against the truth: slower, undecided, or proven no slower",
  runs: { option: "rounds", help: "runs a share", published: publishedOutcomes.rounds },
  tables: [
    {
      name: "outcomes",
      head: outcomeHead,
      rows: (rounds) => outcomeRows({ ...publishedOutcomes, rounds }),
    },
    { name: "busy", head: busyHead, rows: (rounds) => busyRows({ ...publishedOutcomes, rounds }) },
    { name: "bounds", head: boundHead, rows: (rounds) => boundRows(boundRunsToOne * rounds) },
    {
      name: "mean-limits",
      head: meanLimitHead,
      rows: (rounds) => meanLimitRows(meanLimitRunsToOne * rounds),
    },
  ],
});
