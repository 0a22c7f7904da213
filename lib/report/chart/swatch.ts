import { colours, cross, downTriangle, type VariantStyle, withVariables } from "./palette.ts";

const dashes = { solid: "", dashed: "5 3", dotted: "2 2" } as const;

const marks = {
  circle: '<circle cx="16" cy="7" r="4"/>',
  rect: '<rect x="12" y="3" width="8" height="8"/>',
  triangle: '<path d="M16 2.5l4.5 8.5h-9z"/>',
  diamond: '<path d="M16 2l5 5-5 5-5-5z"/>',
  [downTriangle]: '<path d="M11.5 3h9l-4.5 8.5z"/>',
  [cross]: '<path d="M14.5 2h3v3.5h3.5v3h-3.5v3.5h-3v-3.5h-3.5v-3h3.5z"/>',
} as const;

/** A box, faint or full, for the parts of a stacked bar whatever their variant's colour. */
export function boxSwatch(opacity: number): string {
  return withVariables(
    `<svg viewBox="0 0 22 14" width="22" height="14" aria-hidden="true"><path d="M0 1h22v12h-22z" fill="${colours.muted}" fill-opacity="${opacity}"/></svg>`,
  );
}

/** The broad grey line that joins a frontier. */
export const frontierSwatch = withVariables(
  `<svg viewBox="0 0 32 14" width="32" height="14" aria-hidden="true"><path d="M0 7h32" stroke="${colours.muted}" stroke-opacity="0.3" stroke-width="7" fill="none"/></svg>`,
);

/** A variant's line and mark, for a legend beside its name. */
export function swatch({ colour, symbol, dash }: VariantStyle): string {
  const dashed = dash === "solid" ? "" : ` stroke-dasharray="${dashes[dash]}"`;
  return withVariables(
    `<svg viewBox="0 0 32 14" width="32" height="14" aria-hidden="true"><g fill="${colour}"><path d="M0 7h32" stroke="${colour}" stroke-width="2" fill="none"${dashed}/>${marks[symbol]}</g></svg>`,
  );
}
