import { randomUUID } from "node:crypto";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { takeCpuSeconds, withCpuTimes } from "../../bench/command-times.ts";
import { formatDuration } from "../../bin/progress.ts";
import { projectPaths } from "../../lib/toolchain/project-paths.ts";
import { runCommand } from "../../lib/toolchain/run-command.ts";
import type { Counts } from "./step-counts.ts";

/** A command of `npm test`. */
export interface Step {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd?: string;
  /** Beside the caller's. */
  readonly environment?: Readonly<Record<string, string>>;
  /** What the step counts, from what it printed; a step without it counts as one. */
  readonly counts?: (lines: readonly string[]) => Counts;
  /** Steps that have to be at their end before, well or badly. */
  readonly after?: readonly Step[];
  /** Nothing may go on beside it: it comes after everything. */
  readonly isAlone?: true;
}

/** Runs a step to its end, or the signal's, which ends all of its processes; each line is said as it comes. */
export async function runStep(
  step: Step,
  say: (line: string) => void,
  signal: AbortSignal,
): Promise<Counts> {
  const startedMs = performance.now();
  const lines: string[] = [];
  const onLine = (line: string) => {
    lines.push(line);
    say(line);
  };
  const env = { ...process.env, ...step.environment };
  const cwd = step.cwd ?? projectPaths.root;
  const options = { onLine, env, cwd, signal, isOwnGroup: true };
  const times = join(tmpdir(), `kelvin-times-${randomUUID()}`);
  const { command, args } = withCpuTimes(step.command, step.args, times);
  const ended = await runCommand(command, args, options).then(
    () => true,
    (error: Error) => {
      say(error.message.split("\n")[0] ?? "");
      return false;
    },
  );
  const counts = countsOf(step, ended, lines);
  const took = formatDuration(performance.now() - startedMs);
  const cpu = `${Math.round(takeCpuSeconds(times) ?? Number.NaN)} s of CPU`;
  say(`-- ${step.name}: ${counts.passed} passed, ${counts.failed} failed in ${took}, ${cpu}`);
  return counts;
}

function countsOf(step: Step, ended: boolean, lines: readonly string[]): Counts {
  const whole = { passed: Number(ended), failed: Number(!ended), failures: [] };
  const counts = step.counts?.(lines) ?? whole;
  // A runner that ended badly without a failed test, or counted nothing, did not pass.
  const isSound = ended ? counts.passed > 0 : counts.failed > 0;
  return isSound ? counts : { ...counts, failed: counts.failed + 1 };
}
