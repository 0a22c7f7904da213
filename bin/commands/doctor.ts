import { exitCodes } from "../exit-codes.ts";
import { printable } from "../progress.ts";
import { type Examined, examineMachine } from "../run/examine-machine.ts";

/**
 * `kelvin doctor`: lists what this machine has and lacks. Returns the exit code, which is an error's if a local run
 * cannot start.
 */
export function doctor(
  { json }: { readonly json?: true },
  examined: readonly Examined[] = examineMachine(),
): number {
  const text = json === true ? JSON.stringify(examined, null, 2) : doctorText(examined);
  process.stdout.write(printable(`${text}\n`));
  return examined.some(isInTheWay) ? exitCodes.failed : exitCodes.complete;
}

/** Formats one block per tool: a mark, what was found or what it is for, and how to get it. */
function doctorText(examined: readonly Examined[]): string {
  const width = Math.max(...examined.map(({ name }) => name.length));
  const lines = examined.flatMap((each) => {
    const mark = each.found !== undefined ? "ok     " : each.isRequired ? "MISSING" : "lacks  ";
    const first = `${mark}  ${each.name.padEnd(width)}  ${each.found ?? `for ${each.neededFor}`}`;
    const indent = " ".repeat(mark.length + width + 4);
    return [first, ...(each.remedy === undefined ? [] : [`${indent}${each.remedy}`])];
  });
  return [...lines, "", verdictText(examined)].join("\n");
}

function verdictText(examined: readonly Examined[]): string {
  const inTheWay = examined.filter(isInTheWay).map(({ name }) => name);
  if (inTheWay.length === 0) return "npm run bench can begin.";
  return inTheWay.join() === "Rust"
    ? "Until Rust is installed, npm run bench measures Python alone."
    : `npm run bench cannot begin without: ${inTheWay.join(", ")}.`;
}

function isInTheWay({ found, isRequired }: Examined): boolean {
  return found === undefined && isRequired;
}
