import { mutantSteps } from "./run/mutants.ts";
import { runAndCount } from "./run/run-steps.ts";

// `npm run test:mutants -- [ROOM [FILES]]`: all rooms, one, or some of its files, as lib/cost/invocation-cost.ts.

const [room, files] = process.argv.slice(2);
await runAndCount(mutantSteps(room === undefined ? undefined : [room], files));
