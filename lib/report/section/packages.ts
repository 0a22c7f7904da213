import type { BuildRecord } from "../../analysis/collect-samples.ts";
import type { PublishedPackage } from "../../analysis/published.ts";
import { variantLabel } from "../../analysis/report-subject.ts";
import type { ReportView } from "../../analysis/report-view.ts";
import type { Artefact } from "../../contract/types/contract.ts";
import {
  type Block,
  code,
  heading,
  makeTable,
  numberColumn,
  paragraph,
  proseColumn,
  rowHeader,
  textColumn,
  warning,
} from "../document/document.ts";
import { count, missing, number } from "../document/format.ts";
import { spanText } from "./columns.ts";

const bytesInMb = 1_000_000;

/** Shows the size of the deployed packages, and how they were built. */
export function packageSection(view: ReportView): readonly Block[] {
  const isKnown = view.manifest.artefacts.length > 0;
  return [
    heading(2, "Build and package size", takeaway(view)),
    isKnown ? packageTable(view) : paragraph("The run's manifest lists no artefacts."),
    ...buildBlocks(view),
  ];
}

/** Returns the sizes of the zips; those of folders, which are not zipped, unpacked. */
function takeaway({ manifest: { artefacts } }: ReportView): string {
  const span = (sizes: readonly (number | undefined)[]) =>
    spanText(
      sizes.map((bytes) => bytes && bytes / bytesInMb),
      "MB",
    );
  const isZipped = artefacts.some(({ zipBytes }) => zipBytes !== undefined);
  return isZipped
    ? `As deployed: ${span(artefacts.map(({ zipBytes }) => zipBytes))}`
    : `Unpacked: ${span(artefacts.map(({ sizeBytes }) => sizeBytes))}`;
}

function packageTable(view: ReportView): Block {
  const { artefacts } = view.manifest;
  const published = view.published?.packages ?? [];
  const isPublished = artefacts.some(({ variant }) =>
    published.some((known) => known.variant === variant),
  );
  return makeTable<Artefact>(
    {
      id: "packages",
      caption: `Package size by variant, MB of 1,000,000 bytes.${isPublished ? " Published: the source's own package." : ""}`,
    },
    [
      rowHeader("Variant", ({ variant }) => variantLabel(view.subject, variant)),
      rowHeader("Architecture", ({ architecture }) => architecture),
      numberColumn("Unpacked MB", ({ sizeBytes }) => megabytes(sizeBytes)),
      numberColumn("As deployed (zip) MB", ({ zipBytes }) => megabytes(zipBytes)),
      isPublished
        ? numberColumn("Published MB", ({ variant }) =>
            publishedPackage(published.find((known) => known.variant === variant)),
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

function publishedPackage(published: PublishedPackage | undefined): string {
  if (published === undefined) return missing;
  const { packageMb, remark } = published;
  return remark === undefined ? number(packageMb) : `${number(packageMb, 0)} (${remark})`;
}

function megabytes(bytes: number | undefined): string {
  return number(bytes === undefined ? undefined : bytes / bytesInMb);
}

function buildText(build: Artefact["build"]): string {
  const parts = Object.entries(build ?? {}).map(([name, value]) => `${name}: ${value}`);
  return parts.length === 0 ? missing : parts.join("; ");
}

/** A variant on one architecture. Its processes may not report their build. */
interface BuildRow extends Partial<BuildRecord> {
  readonly variant: string;
  readonly architecture: Artefact["architecture"];
}

/** Shows the builds that the processes themselves report; empty if none does. */
function buildBlocks(view: ReportView): readonly Block[] {
  if (view.builds.length === 0) return [];
  const rows = buildRows(view);
  const isMixed = new Set(rows.map(({ variant, architecture }) => `${variant} ${architecture}`));
  return [
    ...(isMixed.size < rows.length
      ? [
          warning(
            "Different builds answered under the name of one variant, and its figures mix them. Each has a row of its own.",
          ),
        ]
      : []),
    buildTable(view, rows),
  ];
}

function buildRows(view: ReportView): readonly BuildRow[] {
  const architectures = [...new Set(view.cells.map(({ architecture }) => architecture))];
  return view.variants.flatMap((variant) =>
    architectures.flatMap((architecture): readonly BuildRow[] => {
      const known = view.builds.filter(
        (build) => build.variant === variant && build.architecture === architecture,
      );
      return known.length === 0 ? [{ variant, architecture }] : known;
    }),
  );
}

function buildTable(view: ReportView, rows: readonly BuildRow[]): Block {
  const artefactOf = ({ variant, architecture }: BuildRow) =>
    view.manifest.artefacts.find(
      (artefact) => artefact.variant === variant && artefact.architecture === architecture,
    );
  return makeTable<BuildRow>(
    {
      id: "builds",
      caption: `What ran, as reported by the processes (n of them) on their first invocation; zip sizes from the manifest. MB of 1,000,000 bytes. ${missing}: not reported.`,
    },
    [
      rowHeader("Variant", ({ variant }) => variantLabel(view.subject, variant)),
      rowHeader("Architecture", ({ architecture }) => architecture),
      numberColumn("n", ({ processes }) => (processes === undefined ? missing : count(processes))),
      textColumn("Crypto provider", ({ cryptoProvider }) => cryptoProvider ?? missing),
      textColumn("Entropy", ({ entropy }) => entropy ?? missing),
      textColumn("Trust store", ({ trustStore }) => trustStore ?? missing),
      textColumn("Profile", ({ profile }) => profile ?? missing),
      numberColumn("Binary MB", ({ binaryBytes }) => megabytes(binaryBytes)),
      numberColumn("Zip MB", (row) => megabytes(artefactOf(row)?.zipBytes)),
    ],
    rows,
  );
}
