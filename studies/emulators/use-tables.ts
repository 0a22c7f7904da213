import { variantLabel } from "../../lib/analysis/report-subject.ts";
import {
  type Block,
  type ColumnOf,
  heading,
  makeTable,
  numberColumn,
  paragraph,
  proseColumn,
  rowHeader,
  textColumn,
} from "../../lib/report/document/document.ts";
import { missing, number } from "../../lib/report/document/format.ts";
import { workload } from "./definition.ts";
import { type EngineFigures, type EngineView, findOperation } from "./figures.ts";
import { publishedEngine } from "./published.ts";

/** Tabulates the engines' memory, files and sizes, and their versions. */
export function useBlocks(view: EngineView): readonly Block[] {
  return [
    heading(2, "Memory, disk and size"),
    memoryTable(view),
    ...diskBlocks(view),
    sizeTable(view),
  ];
}

function memoryTable(view: EngineView): Block {
  return makeTable<EngineFigures>(
    {
      id: "memory",
      caption:
        "Resident set of the engine's process, MB, median of the rounds: at rest after its start, with 10,000 items in it, and after the whole workload where it ran all of it. Embedded: the driver including the engine. A JVM uses its whole heap before it collects garbage: here a quarter of the machine's memory, its default.",
    },
    [
      rowHeader("Engine", ({ id }) => variantLabel(view.subject, id)),
      memoryColumn("At rest", "list_tables"),
      numberColumn("Published", ({ id }) => number(publishedEngine(id).idleMb)),
      memoryColumn("10,000 items", "batch_write"),
      numberColumn("Published", ({ id }) => number(publishedEngine(id).loadedMb)),
      numberColumn("After the workload", (engine) =>
        hadWorkload(engine) ? memoryMb(engine, "delete_table") : missing,
      ),
    ],
    view.engines,
  );
}

/** Tabulates the file size of the same table, for engines that can keep it in files. */
function diskBlocks(view: EngineView): readonly Block[] {
  const inMemory =
    "moto's server keeps its tables only in memory, and embedded dynoxide writes the same files as over HTTP. LocalStack's persistence was not tried.";
  if (view.inFiles.length === 0) {
    return [paragraph("No engine was run with its tables in files.")];
  }
  return [
    makeTable<EngineFigures>(
      {
        id: "disk",
        caption:
          "Engines started with their tables in files: MB of all those files, journals included, while the engine runs, with an empty table and with 10,000 items in it, one round; and their memory, MB. The folder is in memory if the system offers that: this is about the size of the files, not their speed.",
      },
      [
        rowHeader("Engine", ({ id }) => variantLabel(view.subject, id)),
        diskColumn("Empty table", "create_table"),
        numberColumn("Published", ({ id }) => number(publishedEngine(id).emptyDiskMb)),
        diskColumn("10,000 items", "batch_write"),
        numberColumn("Published", ({ id }) => number(publishedEngine(id).filledDiskMb)),
        memoryColumn("Memory at rest", "list_tables"),
        numberColumn("Published", ({ id }) => number(publishedEngine(id).idleMb)),
        memoryColumn("Memory, 10,000 items", "batch_write"),
      ],
      view.inFiles,
    ),
    paragraph(inMemory),
  ];
}

/** Makes a column with the memory of the engine's process after the operation. */
function memoryColumn(label: string, operation: string): ColumnOf<EngineFigures> {
  return numberColumn(label, (engine) => memoryMb(engine, operation));
}

function memoryMb(engine: EngineFigures, operation: string): string {
  const kilobytes = findOperation(engine, operation)?.memoryKb.median;
  return number(kilobytes === undefined ? undefined : kilobytes / 1024, 1);
}

/** Returns whether every step was measured: memory after some of them is not that of the whole workload. */
function hadWorkload(engine: EngineFigures): boolean {
  return workload.every((name) => findOperation(engine, name) !== undefined);
}

function diskColumn(label: string, operation: string): ColumnOf<EngineFigures> {
  return numberColumn(label, (engine) =>
    megabytes(findOperation(engine, operation)?.diskBytes.median),
  );
}

function megabytes(bytes: number | undefined): string {
  return number(bytes === undefined ? undefined : bytes / 1_000_000, bytes && bytes < 1e6 ? 3 : 1);
}

function sizeTable(view: EngineView): Block {
  const artefact = (id: string) => view.manifest.artefacts.find(({ variant }) => variant === id);
  return makeTable<EngineFigures>(
    {
      id: "sizes",
      caption:
        "What was measured: version, build, MB of its files without the runtime (a JVM, Node.js, Python), and MB downloaded for it if known. dynoxide's size is that of Kelvin's own binary, which also contains Kelvin's driver; its project publishes a binary built for size (opt-level s).",
    },
    [
      rowHeader("Engine", ({ id }) => variantLabel(view.subject, id)),
      textColumn("Version", ({ id }) => artefact(id)?.build?.version ?? missing),
      proseColumn("Build", ({ id }) => {
        const { version: _, ...build } = artefact(id)?.build ?? {};
        const parts = Object.entries(build).map(([name, value]) => `${name} ${value}`);
        return parts.join(", ") || missing;
      }),
      numberColumn("Installed MB", ({ id }) => megabytes(artefact(id)?.sizeBytes)),
      numberColumn("Downloaded MB", ({ id }) => megabytes(artefact(id)?.zipBytes)),
    ],
    view.engines,
  );
}
