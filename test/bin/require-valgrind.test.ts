import { expect, it, vi } from "vitest";
import { requireValgrind } from "../../bin/run/local-manifest.ts";

it("counting instructions without valgrind is refused with what to install", () => {
  vi.stubEnv("PATH", "/nowhere");
  expect(() => requireValgrind()).toThrow(
    /^instructions: found "no valgrind .*apt-get install valgrind/,
  );
});
