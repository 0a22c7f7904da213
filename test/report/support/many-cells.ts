import { renderReport } from "../../../lib/experiments/render-report.ts";
import { fixtureInputs } from "./fixture.ts";

// A process of its own, so that its memory is the report's alone: node many-cells.ts <memory sizes>.
// Prints one line of JSON: what was rendered, or why nothing was.
const sizes = Number(process.argv[2]);
const memoryMb = Array.from({ length: sizes }, (_, index) => 128 + index);
const started = process.cpuUsage();
const inputs = fixtureInputs({ target: "local", memoryMb, cold: 8, warm: 32, replica: false });
const rendered = await renderReport(inputs).then(
  ({ files }) => ({ htmlBytes: files["report.html"]?.length }),
  ({ message }: Error) => ({ refused: message }),
);
const { user, system } = process.cpuUsage(started);
const cpuSeconds = (user + system) / 1e6;
const maxRssMb = process.resourceUsage().maxRSS / 1024;
console.log(JSON.stringify({ cells: inputs.plan.cells.length, cpuSeconds, maxRssMb, ...rendered }));
