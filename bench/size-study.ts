import { publishedSizes, sizesHead, sizesRows } from "./size-study/study.ts";
import { runStudy } from "./study-command.ts";

// The table of docs/coverage.md.

const rows = (runs: number) => sizesRows({ ...publishedSizes, runs });
await runStudy({
  name: "study:sizes",
  description: "chooses memory sizes of simulated functions of which the best is known",
  runs: { option: "runs", help: "runs a row", published: publishedSizes.runs },
  tables: [{ name: "sizes", head: sizesHead, rows }],
});
