import { Command } from "commander";
import { runBench } from "../bench/run-bench.ts";
import { decimalNumber, percent } from "../bin/options/option-values.ts";
import { InvalidInput } from "../lib/contract/errors.ts";
import { mutantSteps, mutatedRooms } from "./run/mutants.ts";
import { runAndCount } from "./run/run-steps.ts";

interface Draw {
  readonly share?: number;
  readonly seed: number;
}

const command = new Command("test:mutants")
  .description(
    "puts small faults into the code, one at a time, prints those that the unit tests miss, and the share that they see",
  )
  .argument("[room]", `a room of lib: ${mutatedRooms.join(", ")}; all of them by default`)
  .argument("[files]", "some of its files, such as lib/cost/invocation-cost.ts")
  .option(
    "--share <percent>",
    "draws so many of the faults at random, such as 5%",
    percent("share"),
  )
  .option("--seed <n>", "another seed draws others", decimalNumber("seed"), 1)
  .addHelpText(
    "after",
    "\nAll faults of all rooms take hours; 5% of one room's take minutes. The same code, share and seed give the same draw.",
  );

await runBench<Draw>(command, async ({ share = 1, seed }, [room, files]) => {
  if (room !== undefined && !mutatedRooms.includes(room)) {
    throw new InvalidInput("room", room, mutatedRooms.join(", "));
  }
  const drawn = room === undefined ? mutatedRooms : [room];
  await runAndCount(mutantSteps({ drawn, files, share, seed }));
  return Number(process.exitCode ?? 0);
});
