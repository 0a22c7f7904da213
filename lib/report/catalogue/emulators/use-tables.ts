import type { ColumnOf } from "../../document/blocks.ts";
import {
  heading,
  numberColumn,
  paragraph,
  proseColumn,
  tableOf,
  textColumn,
} from "../../document/blocks.ts";
import type { Block } from "../../document/document.ts";
import { missing, number } from "../../document/format-number.ts";
import { labelOf } from "../../report-subject.ts";
import type { Measure } from "../../view/measure.ts";
import { type EngineFigures, operationOf } from "./figures.ts";
import { publishedMemoryMb } from "./published.ts";
import { clipped } from "./ratio-tables.ts";
import type { EngineView } from "./view.ts";

/** What the engines take of the machine, and what they are. */
export function useBlocks(view: EngineView): readonly Block[] {
  return [heading(2, "Memory and size"), memoryTable(view), sizeTable(view)];
}

function memoryTable(view: EngineView): Block {
  const megabytes = (measure: Measure | undefined) =>
    number(measure?.median === undefined ? undefined : measure.median / 1024, 1);
  return tableOf<EngineFigures>(
    {
      id: "memory",
      caption:
        "Resident set of the engine's process, MB, median of the rounds: at rest after its start, with 10,000 items in it, and after the whole workload. Embedded: of the driver with the engine in it. A JVM takes what it is given before it collects: here a quarter of the machine, its default.",
      rowHeaders: 1,
      headline: true,
    },
    [
      textColumn("Engine", ({ id }) => labelOf(view.subject, id)),
      numberColumn("At rest", (engine) => megabytes(operationOf(engine, "list_tables")?.memoryKb)),
      numberColumn("Published", ({ id }) => number(publishedMemoryMb(id, "idle"))),
      numberColumn("10,000 items", (engine) =>
        megabytes(operationOf(engine, "batch_write")?.memoryKb),
      ),
      numberColumn("Published", ({ id }) => number(publishedMemoryMb(id, "loaded"))),
      numberColumn("After the workload", (engine) =>
        megabytes(operationOf(engine, "delete_table")?.memoryKb),
      ),
    ],
    view.engines,
  );
}

function sizeTable(view: EngineView): Block {
  const artefact = (id: string) => view.manifest.artefacts.find(({ variant }) => variant === id);
  const megabytes = (bytes: number | undefined) =>
    number(bytes === undefined ? undefined : bytes / 1_000_000, 1);
  return tableOf<EngineFigures>(
    {
      id: "sizes",
      caption:
        "What was measured: version, build, MB of its files without what runs them (a JVM, Node.js, Python), and MB downloaded for it where that is known. dynoxide's is the binary that has both, Kelvin's own driver and S3 stand-in in its package's build besides; its project publishes a binary made for size (opt-level s).",
      rowHeaders: 1,
    },
    [
      textColumn("Engine", ({ id }) => labelOf(view.subject, id)),
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

/** Behaviours asked of every engine: one column each, and what DynamoDB does. */
export function fidelityBlocks(view: EngineView): readonly Block[] {
  const asked = view.engines.filter(({ fidelity }) => fidelity.length > 0);
  const [first] = asked;
  const intro =
    "Speed says nothing of conformance. What follows was asked of each engine in this run; what DynamoDB does is as its documentation has it. It is a small set, and no conformance suite.";
  if (first === undefined) {
    return [heading(2, "Fidelity"), paragraph("No engine was asked for it in this run.")];
  }
  const rows = first.fidelity.map(({ behaviour, expected }) => ({ behaviour, expected }));
  return [
    heading(2, "Fidelity"),
    paragraph(intro),
    tableOf<(typeof rows)[number]>(
      {
        id: "fidelity",
        caption: "Documented behaviours: yes where the engine does as DynamoDB, else what it did.",
        rowHeaders: 2,
        headline: true,
      },
      [
        proseColumn("Behaviour", ({ behaviour }) => behaviour),
        proseColumn("DynamoDB", ({ expected }) => expected),
        ...asked.map(
          (engine): ColumnOf<(typeof rows)[number]> =>
            proseColumn(labelOf(view.subject, engine.id), ({ behaviour }) => {
              const found = engine.fidelity.find((each) => each.behaviour === behaviour);
              if (found === undefined) return missing;
              return found.agrees ? "yes" : clipped(found.found);
            }),
        ),
      ],
      rows,
    ),
  ];
}
