import { describe, expect, it } from "vitest";
import {
  type Baseline,
  type CountingPlace,
  compareWithBaseline,
  comparisonText,
  isBroken,
  withBaseline,
} from "../../bench/baseline.ts";

const here: CountingPlace = {
  processor: "AMD64, amd64-avx2-rdrand",
  valgrind: "3.19.0",
  glibc: "2.36",
  rustc: "1.95.0",
};

const counts = { initInstructions: 1e6, firstInstructions: 6e5, warmInstructions: 5e5 };

const baseline: Baseline = {
  place: here,
  versions: { ring: "0.17.14" },
  machine: "AMD EPYC",
  measuredAt: "2026-01-02",
  instructions: { "rust-tuned": counts },
};

const changed = (change: Partial<typeof counts>) => ({ "rust-tuned": { ...counts, ...change } });

describe("the baseline of instruction counts", () => {
  it("takes counts that repeat within 3%, up or down", () => {
    const within = { initInstructions: 1.029e6, firstInstructions: 5.83e5 };
    const comparison = compareWithBaseline([baseline], here, changed(within));
    expect(comparison?.changes.map(({ share }) => Number(share.toFixed(3)))).toEqual([
      0.029, -0.028, 0,
    ]);
    expect(comparison && isBroken(comparison)).toBe(false);
  });

  it.each([
    ["more", 1.031e6],
    ["less", 0.969e6],
  ])("is broken by a count of over 3%% %s, and says which and how to renew it", (_, count) => {
    const now = changed({ initInstructions: count });
    const comparison = compareWithBaseline([baseline], here, now);
    expect(comparison && isBroken(comparison)).toBe(true);
    const text = comparisonText(comparison, here.processor);
    expect(text).toMatch(/rust-tuned initInstructions: 1\.000 M -> .* more than 3%/);
    expect(text).toContain("npm run bench:first-request -- --update-baseline");
  });

  it.each([
    ["valgrind", "3.25.1"],
    ["glibc", "2.41"],
    ["rustc", "1.96.0"],
  ])("is not enforced where %s is another, and says so", (part, version) => {
    const place = { ...here, [part]: version };
    const comparison = compareWithBaseline([baseline], place, changed({ firstInstructions: 9e5 }));
    expect(comparison && isBroken(comparison)).toBe(false);
    const text = comparisonText(comparison, place.processor);
    expect(text).toContain(`${part} ${version}, and not `);
    expect(text).toContain("not enforced");
    expect(text).toMatch(/firstInstructions: 0\.600 M -> 0\.900 M {2}\+50\.00% {2}more than 3%/);
  });

  it("is none for another processor: cryptography takes other code there", () => {
    const place = { ...here, processor: "ARM64, v8" };
    expect(compareWithBaseline([baseline], place, changed({}))).toBeUndefined();
    expect(comparisonText(undefined, place.processor)).toContain(
      "none for this processor (ARM64, v8)",
    );
  });

  it("is that of this very place where there are several", () => {
    const elsewhere = { ...baseline, place: { ...here, glibc: "2.41" } };
    const comparison = compareWithBaseline([elsewhere, baseline], here, changed({}));
    expect(comparison?.baseline).toBe(baseline);
    expect(comparison?.differences).toEqual([]);
  });

  it("is renewed in its place, and those of other places stay", () => {
    const elsewhere = { ...baseline, place: { ...here, glibc: "2.41" } };
    const renewed = { ...baseline, measuredAt: "2026-02-03" };
    expect(withBaseline([baseline, elsewhere], renewed)).toEqual([elsewhere, renewed]);
  });

  it("holds Init, the first and the warm request of each variant", () => {
    const comparison = compareWithBaseline([baseline], here, changed({}));
    expect(comparison?.changes.map(({ quantity }) => quantity)).toEqual(Object.keys(counts));
  });

  it("is an error where it lacks a count, or a count was not made: nothing passes unmeasured", () => {
    expect(() => compareWithBaseline([baseline], here, { rust: counts })).toThrow(
      "no initInstructions of rust",
    );
    expect(() => compareWithBaseline([baseline], here, { "rust-tuned": {} })).toThrow(
      "no initInstructions of rust-tuned was counted",
    );
  });
});
