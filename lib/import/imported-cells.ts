import { InvalidInput } from "../contract/errors.ts";
import type { Cell } from "../contract/types/contract.ts";
import type { FunctionFacts, ImportedInvocation, ReadSource } from "./source.ts";

const smallestMb = 128;
/** The contract's limits for a cell; Lambda's own maximum is far below. */
const largestMb = 1e7;

/** The cells of imported invocations, created as they are found. */
export class ImportedCells {
  readonly #described: DescribedFunction;
  readonly #memoryMb: number | undefined;
  readonly #cells = new Map<string, Cell>();

  /** @param memoryMb the caller's value, used if a source has none */
  constructor(described: DescribedFunction, memoryMb: number | undefined) {
    this.#described = described;
    this.#memoryMb = memoryMb;
  }

  /** Returns the cells by size, smallest first; variants are in the order found. */
  all(): readonly Cell[] {
    return [...this.#cells.values()].sort((a, b) => a.memoryMb - b.memoryMb);
  }

  /** Returns the invocation's cell. Throws InvalidInput, naming the line, if it cannot be determined. */
  of(source: ReadSource, { line, telemetry, functionName }: ImportedInvocation): Cell {
    const place = `${source.name} line ${line}: Memory Size`;
    const memoryMb = this.#agreedMb(place, telemetry.memorySizeMb);
    return this.#cell(source, this.#variant(source, functionName), memoryMb);
  }

  ofAverage(source: ReadSource, memoryMb: number): Cell {
    const size = this.#agreedMb(`${source.name} memory`, memoryMb);
    return this.#cell(source, this.#variant(source, undefined), size);
  }

  #agreedMb(place: string, recorded: number | undefined): number {
    const word = this.#memoryMb;
    const memoryMb = recorded ?? word;
    const allowed =
      memoryMb === undefined
        ? "a size in MB; use --memory if the source does not contain it"
        : (word ?? memoryMb) !== memoryMb
          ? `${word} MB, the value of --memory, or no --memory`
          : `a whole number of MB from ${smallestMb} to ${largestMb}`;
    const isWithin = Number(memoryMb) >= smallestMb && Number(memoryMb) <= largestMb;
    const isAgreed = word === undefined || word === memoryMb;
    if (memoryMb !== undefined && isAgreed && Number.isInteger(memoryMb) && isWithin) {
      return memoryMb;
    }
    throw new InvalidInput(place, memoryMb && `${memoryMb} MB`, allowed);
  }

  #variant({ name }: ReadSource, functionName: string | undefined): string {
    const { variant, isRenamed } = this.#described;
    const found = isRenamed ? variant : (functionName ?? variant);
    if (found !== undefined) return found;
    const message = `${name} does not say which function it belongs to: name it with --variant`;
    throw new InvalidInput("variant", undefined, "a name", message);
  }

  #cell({ name }: ReadSource, variant: string, memoryMb: number): Cell {
    const { architecture, runtime } = this.#described;
    const words = variant.toLowerCase().match(/[a-z0-9]+/g) ?? [];
    if (words.length === 0) {
      throw new InvalidInput("variant", variant, "a name with a letter or a digit");
    }
    const id = [...words, architecture.replace("_", "-"), memoryMb].join("-");
    const known = this.#cells.get(id);
    if (known !== undefined && known.variant !== variant) {
      const allowed = "names that differ in more than case and punctuation";
      throw new InvalidInput(name, [known.variant, variant], allowed);
    }
    const cell = known ?? { id, variant, runtime, architecture, memoryMb };
    this.#cells.set(id, cell);
    return cell;
  }
}

/** The caller's options for the function that the sources describe; absent if not given. */
export interface FunctionOptions {
  readonly variant?: string;
  readonly operation?: string;
  readonly runtime?: string;
  readonly architecture?: string;
  readonly region?: string;
  readonly memoryMb?: number;
}

/** The function, from the sources and the caller's options. */
type DescribedFunction = ReturnType<typeof describedFunction>;

/** Throws InvalidInput if something is unknown, or if the options contradict the sources. */
export function describedFunction(sources: readonly FunctionFacts[], options: FunctionOptions) {
  const names = distinct(sources, "functionNames");
  const runtimeVersions = distinct(sources, "runtimeVersions");
  const isRenamed = options.variant !== undefined;
  if (isRenamed && names.length > 1) {
    const allowed = `none, because the sources contain several functions (${names.join(", ")}), or the sources of one function`;
    throw new InvalidInput("variant", options.variant, allowed);
  }
  return {
    /** The name if a source has none; it replaces that of the only function if it is the caller's. */
    variant: options.variant ?? (names.length === 1 ? names[0] : undefined),
    isRenamed,
    operation: options.operation ?? "invoke",
    runtime: chooseRuntime(runtimeVersions, options.runtime),
    architecture: parseArchitecture(options.architecture),
    region: agreed("region", distinct(sources, "regions"), options.region),
    runtimeVersions,
  };
}

function distinct(sources: readonly FunctionFacts[], fact: keyof FunctionFacts): readonly string[] {
  return [...new Set(sources.flatMap((source) => source[fact]))];
}

function agreed(option: string, recorded: readonly string[], word: string | undefined) {
  const [first] = recorded;
  if (recorded.length > 1) {
    throw new InvalidInput(`source: ${option}`, recorded, `one ${option}: import each separately`);
  }
  if (first !== undefined && word !== undefined && first !== word) {
    throw new InvalidInput(option, word, `${first}, the value in the source`);
  }
  return first ?? word;
}

/** Requires the option: sources do not contain the architecture, and costs depend on it. */
function parseArchitecture(word: string | undefined): Cell["architecture"] {
  if (word === "arm64" || word === "x86_64") return word;
  const allowed = "arm64 or x86_64: logs do not contain it, and costs differ";
  throw new InvalidInput("architecture", word, allowed);
}

/** Maps python:3.13.v10 to python3.13, and nodejs:22.v5 to nodejs22.x. */
function chooseRuntime(versions: readonly string[], word: string | undefined): string {
  const runtimes = [...new Set(versions.map((version) => version.replace(/\.v\d+$/, "")))];
  const bare = (text: string) => text.replaceAll(/[^a-z0-9]/g, "").replace(/x$/, "");
  const [first] = runtimes;
  if (word === undefined) return first ?? "not recorded";
  if (runtimes.every((each) => bare(each) === bare(word))) return word;
  throw new InvalidInput("runtime", word, `${runtimes.join(", ")}, the value in the source`);
}
