import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { shownPath } from "../../bin/run/shown-path.ts";

test.each([
  ["from the working directory where it lies there", resolve("runs", "one"), join("runs", "one")],
  ["as the working directory itself", resolve("."), "."],
  ["whole where it lies elsewhere", resolve("..", "runs"), resolve("..", "runs")],
  ["from the working directory, whatever its name begins with", resolve("..runs"), "..runs"],
])("a path is printed %s", (_, path, shown) => {
  expect(shownPath(path)).toBe(shown);
});
