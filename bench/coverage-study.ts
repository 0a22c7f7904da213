import { publishedOptions } from "./interval-study/designs.ts";
import { studyTables } from "./interval-study/table.ts";
import { runStudy } from "./study-command.ts";

// The tables of docs/coverage.md.

await runStudy({
  name: "study:coverage",
  description: "checks intervals and verdicts with synthetic samples whose truth is known",
  runs: { option: "rounds", help: "runs a row", published: publishedOptions.rounds },
  tables: studyTables.map(({ rows, ...table }) => ({
    ...table,
    rows: (rounds) => rows({ ...publishedOptions, rounds }),
  })),
});
