import { expect, it } from "vitest";
import { howRunLost } from "../../lib/report/lost-calls-text.ts";

it.each([
  [{ error: 3 }, "failed"],
  [{ "result-wrong": 1, "result-invalid": 2 }, "answered wrongly"],
  [{ "telemetry-missing": 1, "warm-up": 9 }, "did not report"],
  [{ "telemetry-missing": 1, error: 3 }, "failed or did not report"],
  [{ "init-repeated": 2 }, "had a failed Init"],
])("calls of a run that lost %j are said to have done this: %s", (rejected, said) => {
  const counts = { planned: 99, recorded: 99, kept: 90, rejected };
  expect(howRunLost({ counts })).toBe(said);
});
