import { InvalidInput } from "../../lib/contract/errors.ts";
import { parseStackName } from "../../lib/infra/stack-context.ts";
import { usualStackName } from "../../lib/plan/deployment.ts";

/** A key of CDK context and its value. */
type ContextPair = readonly [name: string, value: string];

/** Returns the context that the words of a CDK command set: `-c name=value`, `--context=name=value`. */
export function readContext(args: readonly string[]): readonly ContextPair[] {
  return args.flatMap((word, index) => {
    const [, attached] = /^(?:-c|--context)=(.*)/s.exec(word) ?? [];
    const isValue = ["-c", "--context"].includes(args[index - 1] ?? "");
    const pair = isValue ? word : attached;
    if (pair === undefined) return [];
    const [name = "", value = ""] = pair.split(/=(.*)/s);
    return [[name, value] as const];
  });
}

/** Returns the stack's name by --stack or by the words of a CDK command. Throws InvalidInput if they differ. */
export function stackName(option: string | undefined, args: readonly string[] = []): string {
  const ofContext = readContext(args).filter(([name]) => name === "stack");
  const named = [
    ...(option === undefined ? [] : [option]),
    ...ofContext.map(([, value]) => parseStackName(value)),
  ];
  const [name = usualStackName, ...others] = new Set(named);
  if (others.length === 0) return name;
  throw new InvalidInput("stack", [name, ...others], "one name, by --stack or by -c stack=NAME");
}
