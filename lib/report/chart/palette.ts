/**
 * Colours are written into charts as stand-ins and then turned into CSS variables, so that one
 * picture serves the light and the dark page: the library itself can only work with real colours.
 */
const tokens = {
  ink: "#010101",
  muted: "#010102",
  grid: "#010103",
  band: "#010104",
  page: "#010105",
  variant0: "#010110",
  variant1: "#010111",
  variant2: "#010112",
  variant3: "#010113",
  variant4: "#010114",
  variant5: "#010115",
} as const;

export type ColourToken = keyof typeof tokens;

/** The stand-in of a colour, for a chart's options. */
export const colours: Readonly<Record<ColourToken, string>> = tokens;

const names = Object.keys(tokens) as readonly ColourToken[];
const variantTokens = names.filter((name) => name.startsWith("variant"));

/** As many as colours, so that no two of six look alike in grey. The last two are the library's paths. */
export const downTriangle = "path://M0 0L10 0L5 9Z";
export const cross = "path://M3.5 0h3v3.5h3.5v3h-3.5v3.5h-3v-3.5h-3.5v-3h3.5z";
const symbols = ["circle", "triangle", "rect", "diamond", downTriangle, cross] as const;

/** How a variant is drawn: colour, and a symbol and dash of its own for who sees no colour. */
export interface VariantStyle {
  readonly colour: string;
  readonly symbol: (typeof symbols)[number];
  readonly dash: "solid" | "dashed" | "dotted";
}

const dashes = ["solid", "dashed", "dotted"] as const;

/** By the variant's place among those of the run. */
export function variantStyle(index: number): VariantStyle {
  return {
    colour: tokens[variantTokens[index % variantTokens.length] as ColourToken],
    symbol: symbols[index % symbols.length] as VariantStyle["symbol"],
    dash: dashes[index % dashes.length] as VariantStyle["dash"],
  };
}

/** An SVG with the stand-ins replaced by CSS variables. */
export function withVariables(svg: string): string {
  return names.reduce(
    (text, name) => text.replaceAll(`"${tokens[name]}"`, `"var(--${name})"`),
    svg,
  );
}

/**
 * The variables' values. Variants: Okabe and Ito's colours (Color Universal Design, 2008), in the
 * order of the greatest difference in lightness, darkened or lightened to 3:1 against the page.
 */
export const paletteCss = {
  light: `--ink:#1b1f24;--muted:#57606a;--grid:#d8dee4;--band:#e6eaef;--page:#ffffff;
--variant0:#b84a00;--variant1:#8a4f7d;--variant2:#0067a5;--variant3:#00775a;--variant4:#8a6d00;--variant5:#3b4a5a;`,
  dark: `--ink:#e6edf3;--muted:#9aa5b1;--grid:#333c47;--band:#252d37;--page:#0f1419;
--variant0:#ff9d5c;--variant1:#dba0cd;--variant2:#5ab8f0;--variant3:#3cc9a0;--variant4:#e3c54f;--variant5:#b4c2d1;`,
} as const;
