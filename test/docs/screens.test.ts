import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { crc32, deflateSync, inflateSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { smallPng } from "../../bench/report-picture/small-png.ts";
import { fiveKinds } from "../report/support/report-kinds.ts";

const folder = join(import.meta.dirname, "../../docs/screens");
const widths = { desk: 1280, phone: 390 } as const;

describe("docs/screens", () => {
  it.each(fiveKinds)(
    "has the first screen of %s on a desk, on a phone and in a terminal",
    (kind) => {
      for (const [name, width] of Object.entries(widths)) {
        const png = readFileSync(join(folder, `${kind}-${name}.png`));
        expect(png.subarray(1, 4).toString()).toBe("PNG");
        expect(png.readUInt32BE(16)).toBe(width);
        expect(png.length).toBeLessThan(150_000);
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

describe("a picture made small", () => {
  const chunk = (type: string, data: readonly number[] | Buffer) => {
    const typed = Buffer.concat([Buffer.from(type), Buffer.from(data)]);
    const ends = [typed.length - 4, crc32(typed)].map((value) => {
      const bytes = Buffer.alloc(4);
      bytes.writeUInt32BE(value);
      return bytes;
    }) as [Buffer, Buffer];
    return Buffer.concat([ends[0], typed, ends[1]]);
  };
  const picture = (rows: readonly number[]) =>
    Buffer.concat([
      Buffer.from("89504e470d0a1a0a", "hex"),
      chunk("IHDR", [0, 0, 0, 2, 0, 0, 0, 2, 8, 2, 0, 0, 0]),
      chunk("IDAT", deflateSync(Buffer.from(rows))),
      chunk("IEND", []),
    ]);

  it("has the same colours at the same places, whatever filters its rows had", () => {
    const red = [255, 0, 0];
    const white = [255, 255, 255];
    // Red, white; then white, white: as differences from the left, and from above.
    const left = [1, ...red, 0, 255, 255];
    const above = [2, 0, 255, 255, 0, 0, 0];
    const small = smallPng(picture([...left, ...above]));
    const at = small.indexOf("PLTE") + 4;
    expect([...small.subarray(at, at + 6)]).toEqual([...red, ...white]);
    const data = small.indexOf("IDAT");
    const length = small.readUInt32BE(data - 4);
    const rows = inflateSync(small.subarray(data + 4, data + 4 + length));
    expect([...rows]).toEqual([0, 0, 1, 0, 1, 1]);
    expect(() => smallPng(small)).toThrow("not of 8 bits in RGB");
  });
});
