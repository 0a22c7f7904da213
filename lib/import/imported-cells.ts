import { InvalidInput } from "../contract/errors.ts";
import type { Cell } from "../contract/types/contract.ts";
import type { DescribedFunction } from "./described-function.ts";
import { type ImportedInvocation, placeOf, type ReadSource } from "./source.ts";

const smallestMb = 128;
/** As the contract's cells; Lambda's own largest is far below. */
const largestMb = 1e7;

/** The cells that invocations are of, made as they are found. */
export class ImportedCells {
  readonly #described: DescribedFunction;
  readonly #memoryMb: number | undefined;
  readonly #cells = new Map<string, Cell>();

  /** @param memoryMb what the caller says, where a source does not */
  constructor(described: DescribedFunction, memoryMb: number | undefined) {
    this.#described = described;
    this.#memoryMb = memoryMb;
  }

  /** Smallest size first, variants in the order in which they were found. */
  all(): readonly Cell[] {
    return [...this.#cells.values()].sort((a, b) => a.memoryMb - b.memoryMb);
  }

  /** Throws InvalidInput naming the line whose cell nobody tells. */
  of(source: ReadSource, { line, telemetry, functionName }: ImportedInvocation): Cell {
    const place = placeOf(source, line, "Memory Size");
    const memoryMb = this.#agreedMb(place, telemetry.memorySizeMb);
    return this.#cell(source, this.#variant(source, functionName), memoryMb);
  }

  ofAverage(source: ReadSource, memoryMb: number): Cell {
    const size = this.#agreedMb(`${source.name} memory`, memoryMb);
    return this.#cell(source, this.#variant(source, undefined), size);
  }

  #agreedMb(place: string, said: number | undefined): number {
    const word = this.#memoryMb;
    if (said !== undefined && word !== undefined && said !== word) {
      throw new InvalidInput(place, `${said} MB`, `${word} MB, as --memory says, or no --memory`);
    }
    const memoryMb = said ?? word;
    if (memoryMb === undefined) {
      throw new InvalidInput(place, undefined, "a size in MB; where no source says it, --memory");
    }
    const isWithin = memoryMb >= smallestMb && memoryMb <= largestMb;
    if (Number.isInteger(memoryMb) && isWithin) return memoryMb;
    const allowed = `a whole number of MB from ${smallestMb} to ${largestMb}`;
    throw new InvalidInput(place, `${memoryMb} MB`, allowed);
  }

  #variant({ name }: ReadSource, functionName: string | undefined): string {
    const { variant, isRenamed } = this.#described;
    const found = isRenamed ? variant : (functionName ?? variant);
    if (found !== undefined) return found;
    throw new InvalidInput(
      "variant",
      undefined,
      `a name: ${name} does not say of which function it is`,
    );
  }

  #cell({ name }: ReadSource, variant: string, memoryMb: number): Cell {
    const { architecture, runtime } = this.#described;
    const slug = variant
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, "-")
      .replaceAll(/^-|-$/g, "");
    if (slug === "") throw new InvalidInput("variant", variant, "a name with a letter or a digit");
    const id = `${slug}-${architecture.replace("_", "-")}-${memoryMb}`;
    const known = this.#cells.get(id);
    if (known !== undefined && known.variant !== variant) {
      throw new InvalidInput(
        name,
        [known.variant, variant],
        "functions whose names differ in more",
      );
    }
    const cell = known ?? { id, variant, runtime, architecture, memoryMb };
    this.#cells.set(id, cell);
    return cell;
  }
}
