import { type ColumnOf, heading, paragraph, proseColumn, tableOf } from "../../document/blocks.ts";
import type { Block } from "../../document/document.ts";
import { missing } from "../../document/format-number.ts";
import { labelOf } from "../../report-subject.ts";
import { clipped } from "./ratio-tables.ts";
import type { EngineView } from "./view.ts";

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
