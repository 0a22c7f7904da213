import type { Artefact } from "../../contract/types/contract.ts";
import {
  code,
  heading,
  numberColumn,
  paragraph,
  proseColumn,
  tableOf,
  textColumn,
} from "../document/blocks.ts";
import { cellColumnCount, cellColumns } from "../document/cell-labels.ts";
import type { Block } from "../document/document.ts";
import { megabytesText, sizeText } from "../document/format-measure.ts";
import { missing, number } from "../document/format-number.ts";
import { labelOf } from "../report-subject.ts";
import { publishedSeries } from "../view/published.ts";
import type { ReportView } from "../view/report-view.ts";
import { seriesIn } from "../view/select.ts";
import type { SeriesView } from "../view/series-view.ts";
import { hasPublished, publishedCaption } from "./published-column.ts";

/** Max Memory Used: a peak since the environment began, so that it only grows. */
export function memorySection(view: ReportView): readonly Block[] {
  return [
    heading(2, "Memory used"),
    paragraph("The peak since the environment began, as the REPORT line gives it."),
    memoryTable(view),
  ];
}

function memoryTable(view: ReportView): Block {
  const rows = seriesIn(view, "cold");
  const isPublished = hasPublished(view, rows);
  const { warmOperations, sizes } = view.plan;
  const operations = sizes.warmEnvironments === 0 ? [] : warmOperations;
  const warmOf = (row: SeriesView, operation: string) =>
    seriesIn(view, "warm", operation).find((series) => series.cell.id === row.cell.id);
  return tableOf<SeriesView>(
    {
      id: "memory-used",
      caption: `Max Memory Used: median [95 % interval] over environments, MB; n counts first requests.${publishedCaption(view, isPublished)}`,
      rowHeaders: cellColumnCount(view),
    },
    [
      ...cellColumns<SeriesView>(view, (row) => row.cell),
      numberColumn("n", (row) => sizeText(row.maxMemoryUsedMb)),
      numberColumn("First request MB", (row) => megabytesText(row.maxMemoryUsedMb)),
      ...operations.map((operation) =>
        numberColumn<SeriesView>(["Warm ", code(operation), " MB"], (row) =>
          megabytesText(warmOf(row, operation)?.maxMemoryUsedMb),
        ),
      ),
      isPublished
        ? numberColumn("Published MB", ({ cell, operation, phase }) =>
            number(publishedSeries(view.plan, cell, operation, phase)?.maxMemoryUsedMb, 0),
          )
        : undefined,
    ],
    rows,
  );
}

const bytesInMb = 1_000_000;

/** What is deployed, and how it was built. */
export function packageSection(view: ReportView): readonly Block[] {
  const isKnown = view.manifest.artefacts.length > 0;
  return [
    heading(2, "Package size"),
    isKnown ? packageTable(view) : paragraph("The run's manifest names no artefacts."),
  ];
}

function packageTable(view: ReportView): Block {
  const { artefacts } = view.manifest;
  const published = view.published?.rustPackageMb;
  const isPublished =
    published !== undefined && artefacts.some((artefact) => artefact.variant === "rust");
  return tableOf<Artefact>(
    {
      id: "packages",
      caption: `Package size by variant, MB of 1,000,000 bytes.${isPublished ? " Published: the source's Rust package, and the same without the SDK." : ""}`,
      rowHeaders: 2,
    },
    [
      textColumn("Variant", ({ variant }) => labelOf(view.subject, variant)),
      textColumn("Architecture", ({ architecture }) => architecture),
      numberColumn("Unpacked MB", ({ sizeBytes }) => megabytes(sizeBytes)),
      numberColumn("As deployed (zip) MB", ({ zipBytes }) => megabytes(zipBytes)),
      isPublished
        ? numberColumn("Published MB", ({ variant }) =>
            variant === "rust"
              ? `${number(published.withSdk, 0)} (${number(published.withoutSdk, 1)} without the SDK)`
              : missing,
          )
        : undefined,
      proseColumn("Build", ({ build }) => buildText(build)),
      textColumn("SHA-256", ({ sha256 }) =>
        sha256 === undefined ? missing : [code(sha256.slice(0, 12))],
      ),
    ],
    artefacts,
  );
}

function megabytes(bytes: number | undefined): string {
  return number(bytes === undefined ? undefined : bytes / bytesInMb);
}

function buildText(build: Artefact["build"]): string {
  const parts = Object.entries(build ?? {}).map(([name, value]) => `${name}: ${value}`);
  return parts.length === 0 ? missing : parts.join("; ");
}
