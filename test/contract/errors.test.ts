import { expect, it } from "vitest";
import { InvalidInput, inPlace } from "../../lib/contract/errors.ts";

it("a mistake in a file keeps the value, and shows its beginning as JSON, quoted once", () => {
  const found = { name: "a".repeat(300) };
  const error = inPlace("functions.json", new InvalidInput("functions", found, "a list"));
  expect(error.found).toBe(found);
  const shown = JSON.stringify(found).slice(0, 200);
  expect(error.message).toBe(`functions.json: functions: found ${shown}...; allowed: a list`);
});

it("a mistake in an option is a sentence with the text that was given", () => {
  const found = new InvalidInput("events/0/payload", "x", "JSON");
  expect(inPlace("--event", found).message).toBe("--event takes JSON, not x");
});
