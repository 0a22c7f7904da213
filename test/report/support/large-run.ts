import { renderReport } from "../../../lib/experiments/render-report.ts";
import { fixtureInputs } from "./fixture.ts";

// A process of its own, so that its memory is the report's alone: node large-run.ts <warm calls a cell
// and operation>. Prints one line of JSON.
const memoryMb = [128, 256, 512, 1024, 1769, 3008];
const started = process.cpuUsage();
const inputs = fixtureInputs({
  preset: "standard",
  target: "local",
  memoryMb,
  warm: Number(process.argv[2]),
});
const report = await renderReport(inputs);
const { user, system } = process.cpuUsage(started);
console.log(
  JSON.stringify({
    samples: report.manifest.counts.recorded,
    // Of the processor: a busy machine takes longer by the clock.
    cpuSeconds: (user + system) / 1e6,
    maxRssMb: process.resourceUsage().maxRSS / 1024,
    htmlBytes: report.files["report.html"]?.length,
  }),
);
