import { describe, expect, it } from "vitest";
import { describeLifecycle, listLifecycleNotes } from "../../lib/functions/runtime-lifecycle.ts";

describe("a runtime's deprecation", () => {
  it("is told from 180 days before it, by its dates", () => {
    const note =
      "nodejs20.x: deprecated on 2026-04-30; creating functions is blocked from 2027-02-01, " +
      "updating them from 2027-03-03 (AWS's dates of 2026-06-02)";
    expect(listLifecycleNotes(["nodejs20.x"], "2025-10-31")).toEqual([]);
    expect(listLifecycleNotes(["nodejs20.x"], "2025-11-01")).toEqual([note]);
  });

  it.each([
    ["2026-04-29", "deprecated on 2026-04-30; creating functions is blocked from 2027-02-01"],
    ["2026-04-30", "deprecated since 2026-04-30; creating functions is blocked from 2027-02-01"],
    ["2027-02-01", "blocked since 2027-02-01, updating them from 2027-03-03"],
    ["2027-03-03", "blocked since 2027-02-01, updating them since 2027-03-03"],
  ])("reads on %s as what has come by then", (today, text) => {
    expect(describeLifecycle("nodejs20.x", today)).toContain(text);
  });

  it.each(["nodejs26.x", "python3.15", "java17.al2023"])(
    "is not made up where no date was found: %s",
    (runtime) => {
      const note = `${runtime}: no deprecation date is known (AWS's dates of 2026-06-02)`;
      expect(listLifecycleNotes([runtime], "2026-11-25")).toEqual([note]);
    },
  );

  it("is told once a runtime, and not of images", () => {
    const runtimes = ["provided.al2", "image", "provided.al2", "nodejs24.x"];
    expect(listLifecycleNotes(runtimes, "2026-11-25")).toEqual([
      expect.stringMatching(/^provided\.al2: deprecated since 2026-07-31/),
    ]);
  });
});
