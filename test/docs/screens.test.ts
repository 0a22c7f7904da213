import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { fiveKinds } from "../report/support/report-kinds.ts";

const folder = join(import.meta.dirname, "../../docs/screens");
const widths = { desk: 1280, phone: 390 } as const;

describe("docs/screens", () => {
  it.each(fiveKinds)(
    "has the first screen of %s on a desk, on a phone and in a terminal",
    (kind) => {
      for (const [name, width] of Object.entries(widths)) {
        const picture = readFileSync(join(folder, `${kind}-${name}.webp`));
        expect(picture.toString("latin1", 8, 16)).toBe("WEBPVP8X");
        // https://developers.google.com/speed/webp/docs/riff_container#extended_file_format
        expect(picture.readUIntLE(24, 3) + 1).toBe(width);
        expect(picture.length).toBeLessThan(150_000);
      }
      const lines = readFileSync(join(folder, `${kind}.txt`), "utf8")
        .trimEnd()
        .split("\n");
      expect(lines.length).toBeLessThanOrEqual(18);
    },
  );

  it("shows each of them in its README, and has nothing else", () => {
    const readme = readFileSync(join(folder, "README.md"), "utf8");
    const shown = [...readme.matchAll(/\]\(([^)/]+)\)/g)].map(([, file]) => file);
    expect(shown.toSorted()).toEqual(
      readdirSync(folder)
        .filter((file) => file !== "README.md")
        .toSorted(),
    );
  });
});
