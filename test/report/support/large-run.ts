import { renderReport } from "../../../lib/report/render-report.ts";
import { fixtureInputs } from "./fixture.ts";

// A process of its own, so that its memory is the report's alone. Prints one line of JSON.
const memoryMb = [128, 256, 512, 1024, 1769, 3008];
const started = performance.now();
const inputs = fixtureInputs({ preset: "standard", target: "local", memoryMb, warm: 1320 });
const report = await renderReport(inputs);
console.log(
  JSON.stringify({
    samples: report.manifest.counts.recorded,
    seconds: (performance.now() - started) / 1000,
    maxRssMb: process.resourceUsage().maxRSS / 1024,
    htmlBytes: report.files["report.html"]?.length,
  }),
);
