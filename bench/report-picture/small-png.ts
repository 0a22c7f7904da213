import { crc32, deflateSync, inflateSync } from "node:zlib";

/** Levels of each colour that are kept: text and bars look the same with sixteen. */
const levels = 16;
const mostColours = 256;

/** A browser's PNG (8 bits, RGB or RGBA, not interlaced) with a palette of few colours, at a third of its size. */
export function smallPng(png: Buffer): Buffer {
  const { width, height, pixels } = decoded(png);
  const palette = new Map<number, number>();
  const rows = Buffer.alloc(height * (width + 1));
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const colour = coarse(pixels, 3 * (y * width + x));
      const known = palette.get(colour) ?? palette.size;
      if (known === palette.size) palette.set(colour, known);
      rows[y * (width + 1) + 1 + x] = known;
    }
  }
  if (palette.size > mostColours) throw new Error(`a picture of ${palette.size} colours`);
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 3], 8);
  const colours = Buffer.from(
    [...palette.keys()].flatMap((c) => [c >> 16, (c >> 8) & 255, c & 255]),
  );
  return Buffer.concat([
    png.subarray(0, 8),
    chunk("IHDR", header),
    chunk("PLTE", colours),
    chunk("IDAT", deflateSync(rows, { level: 9 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function coarse(pixels: Uint8Array, at: number): number {
  const step = 255 / (levels - 1);
  const [red, green, blue] = [0, 1, 2].map((part) =>
    Math.round(Math.round((pixels[at + part] ?? 0) / step) * step),
  ) as [number, number, number];
  return (red << 16) | (green << 8) | blue;
}

function chunk(type: string, data: Buffer): Buffer {
  const typed = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(typed));
  return Buffer.concat([length, typed, sum]);
}

interface Pixels {
  readonly width: number;
  readonly height: number;
  /** Three bytes a pixel. */
  readonly pixels: Uint8Array;
}

function decoded(png: Buffer): Pixels {
  const [bits, colours] = [png[24], png[25]];
  if (bits !== 8 || (colours !== 2 && colours !== 6)) throw new Error("not of 8 bits in RGB");
  const [width, height, samples] = [
    png.readUInt32BE(16),
    png.readUInt32BE(20),
    png[25] === 6 ? 4 : 3,
  ];
  const data: Buffer[] = [];
  for (let at = 8; at < png.length; at += 12 + png.readUInt32BE(at)) {
    if (png.toString("latin1", at + 4, at + 8) !== "IDAT") continue;
    data.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)));
  }
  const raw = inflateSync(Buffer.concat(data));
  const stride = width * samples;
  const lines = Buffer.alloc(height * stride);
  for (let y = 0; y < height; y += 1) {
    const filter = raw[y * (stride + 1)] ?? 0;
    for (let x = 0; x < stride; x += 1) {
      const left = x < samples ? 0 : (lines[y * stride + x - samples] ?? 0);
      const above = y === 0 ? 0 : (lines[(y - 1) * stride + x] ?? 0);
      const corner = x < samples || y === 0 ? 0 : (lines[(y - 1) * stride + x - samples] ?? 0);
      const predicted = [0, left, above, (left + above) >> 1, paeth(left, above, corner)][filter];
      lines[y * stride + x] = (raw[y * (stride + 1) + 1 + x] ?? 0) + (predicted ?? 0);
    }
  }
  const pixels = new Uint8Array(3 * width * height);
  for (let at = 0; at < width * height; at += 1) {
    pixels.set(lines.subarray(at * samples, at * samples + 3), 3 * at);
  }
  return { width, height, pixels };
}

/** The predictor of the PNG specification (https://www.w3.org/TR/png-3/#9Filter-type-4-Paeth). */
function paeth(left: number, above: number, corner: number): number {
  const [a, b, c] = [
    Math.abs(above - corner),
    Math.abs(left - corner),
    Math.abs(left + above - 2 * corner),
  ] as [number, number, number];
  if (a <= b && a <= c) return left;
  return b <= c ? above : corner;
}
