import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { samplesPath } from "../../lib/sampler/result-store.ts";
import { smallPlan } from "../support/small-plan.ts";

const [cell] = smallPlan().cells;
if (cell === undefined) throw new Error("a plan has a cell");

describe("the paths of samples", () => {
  it("name the cell, the block and, for a trial handed over, the sequence it goes on from", () => {
    expect(samplesPath({ cell, block: 3 })).toBe("samples/rust-arm64-128/0003.jsonl");
    expect(samplesPath({ cell, block: 3, attempt: 1 })).toBe("samples/rust-arm64-128/0003.1.jsonl");
    expect(samplesPath({ cell, block: 3 }, 42)).toBe("samples/rust-arm64-128/0003_000042.jsonl");
  });

  it("sort in the order of a cell's blocks and, within one, of the calls", () => {
    const part = fc.record({ block: fc.nat(9999), sequence: fc.nat(400_000) });
    fc.assert(
      fc.property(fc.array(part, { minLength: 2 }), (parts) => {
        const inOrder = parts.sort((a, b) => a.block - b.block || a.sequence - b.sequence);
        const paths = inOrder.map(({ block, sequence }) => samplesPath({ cell, block }, sequence));
        expect([...paths].sort()).toEqual(paths);
      }),
    );
  });
});
