import { crc32 } from "node:zlib";

/** A file in a zip; `mode` is the Unix mode with the file type. */
export interface ZippedFile {
  readonly name: string;
  readonly content: string | Buffer;
  /** @default 0o100644 */
  readonly mode?: number;
}

/** Returns a zip without compression, by https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT */
export function makeZip(files: readonly ZippedFile[]): Buffer {
  const local: Buffer[] = [];
  const central: Buffer[] = [];
  let offset = 0;
  for (const { name, content, mode = 0o100644 } of files) {
    const path = Buffer.from(name);
    const data = Buffer.from(content);
    const sums = Buffer.alloc(12);
    sums.writeUInt32LE(crc32(data), 0);
    sums.writeUInt32LE(data.length, 4);
    sums.writeUInt32LE(data.length, 8);
    const lengths = Buffer.alloc(4);
    lengths.writeUInt16LE(path.length, 0);
    const head = Buffer.from([0x50, 0x4b, 3, 4, 20, 0, 0, 8, 0, 0, 0, 0, 0x21, 0]);
    const entry = Buffer.concat([head, sums, lengths, path, data]);
    const listed = Buffer.from([0x50, 0x4b, 1, 2, 20, 3, 20, 0, 0, 8, 0, 0, 0, 0, 0x21, 0]);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE((mode << 16) >>> 0, 6);
    tail.writeUInt32LE(offset, 10);
    central.push(Buffer.concat([listed, sums, lengths, tail, path]));
    local.push(entry);
    offset += entry.length;
  }
  const directory = Buffer.concat(central);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(files.length, 8);
  end.writeUInt16LE(files.length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...local, directory, end]);
}
