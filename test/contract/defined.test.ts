import { expect, it } from "vitest";
import { defined } from "../../lib/contract/defined.ts";

it("leaves out what is undefined, keeps every other value, and the order of the fields", () => {
  const fields = { zero: 0, nothing: undefined, no: false, nul: null, empty: "" };
  const found = defined(fields);
  expect(Object.entries(found)).toEqual([
    ["zero", 0],
    ["no", false],
    ["nul", null],
    ["empty", ""],
  ]);
});
