import { InvalidInput } from "../contract/errors.ts";
import type { Cell } from "../contract/types/contract.ts";
import type { FunctionFacts } from "./source.ts";

/** What the caller says of the function that the sources are of; what is not said is absent. */
export interface FunctionWords {
  readonly variant?: string;
  readonly operation?: string;
  readonly runtime?: string;
  readonly architecture?: string;
  readonly region?: string;
  readonly memoryMb?: number;
}

/** The function, by its sources and the caller's words. */
export interface DescribedFunction {
  /** Of a source that names none. */
  readonly variant?: string;
  /** Whether the caller's name stands for the only function that the sources name. */
  readonly isRenamed: boolean;
  readonly operation: string;
  readonly runtime: string;
  readonly architecture: Cell["architecture"];
  readonly region?: string;
  readonly runtimeVersions: readonly string[];
}

/** Throws InvalidInput where nobody says it, or where the words contradict the sources. */
export function describedFunction(
  sources: readonly FunctionFacts[],
  words: FunctionWords,
): DescribedFunction {
  const names = distinct(sources, "functionNames");
  const runtimeVersions = distinct(sources, "runtimeVersions");
  const region = agreed("region", distinct(sources, "regions"), words.region);
  if (words.variant !== undefined && names.length > 1) {
    throw new InvalidInput(
      "variant",
      words.variant,
      `none, for the sources are of several functions (${names.join(", ")}), or one function's alone`,
    );
  }
  const variant = words.variant ?? (names.length === 1 ? names[0] : undefined);
  return {
    ...(variant !== undefined && { variant }),
    isRenamed: words.variant !== undefined,
    operation: words.operation ?? "invoke",
    runtime: runtimeOf(runtimeVersions, words.runtime),
    architecture: architectureOf(words.architecture),
    ...(region !== undefined && { region }),
    runtimeVersions,
  };
}

function distinct(sources: readonly FunctionFacts[], fact: keyof FunctionFacts): readonly string[] {
  return [...new Set(sources.flatMap((source) => source[fact]))];
}

function agreed(option: string, said: readonly string[], word: string | undefined) {
  const [first] = said;
  if (said.length > 1) {
    throw new InvalidInput(`source: ${option}`, said, `one ${option}: import each alone`);
  }
  if (first !== undefined && word !== undefined && first !== word) {
    throw new InvalidInput(option, word, `${first}, as the source says`);
  }
  return first ?? word;
}

/** No source says it, and costs depend on it. */
function architectureOf(word: string | undefined): Cell["architecture"] {
  if (word === "arm64" || word === "x86_64") return word;
  throw new InvalidInput(
    "architecture",
    word,
    "arm64 or x86_64: no log says which, and costs differ",
  );
}

/** python:3.13.v10 is python3.13, nodejs:22.v5 nodejs22.x. */
function runtimeOf(versions: readonly string[], word: string | undefined): string {
  const said = [...new Set(versions.map((version) => version.replace(/\.v\d+$/, "")))];
  const bare = (text: string) => text.replaceAll(/[^a-z0-9]/g, "").replace(/x$/, "");
  const [first] = said;
  if (word === undefined) return first ?? "not recorded";
  if (said.every((each) => bare(each) === bare(word))) return word;
  throw new InvalidInput("runtime", word, `${said.join(", ")}, as the source says`);
}
