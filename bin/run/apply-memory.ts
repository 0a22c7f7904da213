import type { LambdaClient } from "@aws-sdk/client-lambda";
import type { Summary } from "../../lib/analysis/summary.ts";
import { readMemorySize, setMemorySize } from "../../lib/aws/memory-size.ts";
import { InvalidInput } from "../../lib/contract/errors.ts";
import { type Ask, isYes } from "../ask.ts";
import type { Progress } from "../progress.ts";
import type { FunctionArn } from "./measured-copies.ts";

/** The size to apply, among those that a report names. */
export type AppliedSize = "cheapest" | "fastest" | "balanced";

/** Throws InvalidInput unless --apply is given one function, without a version or alias. */
export function requireApplicable(arns: readonly FunctionArn[]): void {
  const [first, ...others] = arns;
  if (others.length > 0) {
    const allowed = "one function with --apply, whose memory size is to be set";
    throw new InvalidInput(
      "functions",
      arns.map(({ arn }) => arn),
      allowed,
    );
  }
  if (first?.qualifier === undefined) return;
  const allowed =
    "a function without a version or alias with --apply, which sets the size of $LATEST alone";
  throw new InvalidInput("function", first.arn, allowed);
}

interface ApplyOptions {
  readonly client: LambdaClient;
  readonly ask: Ask;
  /** --yes was given. */
  readonly isAgreed: boolean;
  readonly progress: Progress;
}

/** Sets the size that the report chose on the function itself, after the change was shown and agreed to. */
export async function applyMemory(
  { arn, name }: FunctionArn,
  summary: Pick<Summary, "recommendation">,
  which: AppliedSize,
  { client, ask, isAgreed, progress }: ApplyOptions,
): Promise<void> {
  const sizes = bestSizes(summary, which);
  const [chosen] = sizes;
  if (chosen === undefined) {
    return progress.say(`${which}: the run decided on no size; ${name} is left as it is`);
  }
  const { memoryMb, revision } = await readMemorySize(client, arn);
  if (sizes.includes(memoryMb)) return progress.say(alreadyText(name, which, memoryMb, sizes));
  progress.say(`${arn} ($LATEST), ${which} of those measured:`);
  progress.say(`- MemorySize: ${memoryMb}\n+ MemorySize: ${chosen}`);
  const isYesGiven = isAgreed || isYes(await ask(`Set the memory size of ${name}? [y/N] `));
  if (!isYesGiven) return progress.say(`${name} is left as it is`);
  await setMemorySize(client, arn, { memoryMb: chosen, revision });
  progress.say(`${name} has ${chosen} MB now`);
}

/** Explains why nothing is changed: the run cannot distinguish the chosen size from the current one. */
function alreadyText(
  name: string,
  which: AppliedSize,
  memoryMb: number,
  sizes: readonly number[],
): string {
  const others = sizes.filter((size) => size !== memoryMb);
  const rivals = others.length === 0 ? "" : `, which the run cannot tell from ${others.join(", ")}`;
  return `${name} is left as it is: of those measured its ${memoryMb} MB are the ${which}${rivals}`;
}

/** Returns the best size in MB, or those that the run cannot distinguish, lowest measure first. */
function bestSizes(
  { recommendation }: Pick<Summary, "recommendation">,
  which: AppliedSize,
): readonly number[] {
  const best = recommendation?.variants[0]?.[which];
  if (best === undefined || best.kind === "no-choice") return [];
  const cells = best.kind === "decided" ? [best.cell] : best.among;
  return cells.map(({ memoryMb }) => memoryMb);
}
