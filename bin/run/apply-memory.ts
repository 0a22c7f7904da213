import type { LambdaClient } from "@aws-sdk/client-lambda";
import type { Summary } from "../../lib/analysis/summary.ts";
import { type MemorySize, readMemorySize, setMemorySize } from "../../lib/aws/memory-size.ts";
import { InvalidInput } from "../../lib/contract/errors.ts";
import { type Ask, isYes } from "../ask.ts";
import type { Progress } from "../progress.ts";
import type { FunctionArn } from "./measured-copies.ts";

/** The size to apply, among those that a report names. */
export type AppliedSize = "cheapest" | "fastest" | "balanced";

interface ApplyOptions {
  readonly apply?: AppliedSize;
  readonly applyWithoutAsking?: boolean;
}

/** Throws InvalidInput unless --apply is given one function, without a version or alias, and can be answered. */
export function requireApplicable(
  arns: readonly FunctionArn[],
  { apply, applyWithoutAsking: isAgreed = false }: ApplyOptions,
  isTerminal: boolean,
): void {
  const refuse = (field: string, found: unknown, allowed: string) => {
    throw new InvalidInput(field, found, allowed);
  };
  const names = arns.map(({ arn }) => arn);
  if (apply === undefined) {
    if (isAgreed) refuse("apply-without-asking", true, "no value without --apply");
  } else if (arns.length > 1) {
    refuse("functions", names, "one function with --apply, whose memory size is to be set");
  } else if (arns[0]?.qualifier !== undefined) {
    const which = "a function without a version or alias";
    refuse("function", names[0], `${which} with --apply, which only sets the size of $LATEST`);
  } else if (!isAgreed && !isTerminal) {
    const allowed = "a terminal at which to ask before the size is set, or --apply-without-asking";
    refuse("apply", apply, allowed);
  }
}

interface Applying {
  readonly client: LambdaClient;
  readonly ask: Ask;
  /** --apply-without-asking was given. */
  readonly isAgreed: boolean;
  readonly progress: Progress;
}

/**
 * Sets the decided size on the function itself, after the change was shown and agreed to. A function whose size is
 * undecided, or whose present size was not compared with it, is left as it is.
 */
export async function applyMemory(
  { arn, name }: FunctionArn,
  { recommendation }: Pick<Summary, "recommendation">,
  which: AppliedSize,
  { client, ask, isAgreed, progress }: Applying,
): Promise<void> {
  const leave = (why: string) => progress.say(`${name} is left as it is: ${why}`);
  const best = recommendation?.variants[0]?.[which];
  if (best?.kind !== "decided") {
    const sizes = best?.kind === "undecided" ? best.among.map(({ memoryMb }) => memoryMb) : [];
    const among = sizes.length === 0 ? "" : `: it cannot tell ${sizes.join(", ")} MB apart`;
    return leave(`the run did not decide which size is the ${which}${among}`);
  }
  const { memoryMb: chosen } = best.cell;
  const { memoryMb, revision, tags } = await readMemorySize(client, arn);
  if (memoryMb === chosen) return leave(`of those measured, its ${chosen} MB are the ${which}`);
  if (!best.against.some(({ cell }) => cell.memoryMb === memoryMb)) {
    return leave(`its ${memoryMb} MB were not compared with ${chosen} MB`);
  }
  progress.say(`${arn} ($LATEST), ${which} of those measured:`);
  progress.say(`- MemorySize: ${memoryMb}\n+ MemorySize: ${chosen}`);
  progress.say(`${name} ${describeOwner(tags, memoryMb)}`);
  const isYesGiven = isAgreed || isYes(await ask(`Set the memory size of ${name}? [y/N] `));
  if (!isYesGiven) return leave("there was no yes");
  await setMemorySize(client, arn, { memoryMb: chosen, revision });
  progress.say(`${name} has ${chosen} MB now`);
}

/**
 * Says whether something else sets the function's size, which would set it back, by the function's tags.
 * https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/aws-properties-resource-tags.html
 */
function describeOwner(tags: MemorySize["tags"], memoryMb: number): string {
  if (tags === undefined) {
    return "may belong to a stack or to Terraform: its tags could not be read (lambda:ListTags)";
  }
  const stack = tags["aws:cloudformation:stack-name"];
  if (stack !== undefined) {
    return `belongs to the stack ${stack}, whose next deployment would set ${memoryMb} MB again: set MemorySize in its template too, or where that is generated (memorySize in the CDK)`;
  }
  const [tag] = Object.entries(tags).filter((pair) => /terraform|opentofu/i.test(pair.join("=")));
  return tag === undefined
    ? "has no tag of CloudFormation or Terraform, whose next deployment would set the size back"
    : `belongs to Terraform by its tag ${tag.join("=")}, whose next apply would set ${memoryMb} MB again: set memory_size of its aws_lambda_function too`;
}
