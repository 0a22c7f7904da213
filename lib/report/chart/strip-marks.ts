import { colours, type VariantStyle } from "./palette.ts";

interface StripApi {
  coord(point: readonly [number, number]): readonly [number, number];
}

const halfHeightPx = 6;

/** A row's values as upright strokes, in one path. */
export function stripSeries(at: number, values: readonly number[], colour: string) {
  return {
    type: "custom",
    silent: true,
    z: 2,
    data: values.length === 0 ? [] : [[values[0], at]],
    renderItem: (_: unknown, api: StripApi) => {
      const strokes = values.map((value) => {
        const [x, y] = api.coord([value, at]);
        return `M${x.toFixed(1)} ${(y - halfHeightPx).toFixed(1)}v${2 * halfHeightPx}`;
      });
      return {
        type: "path",
        shape: { pathData: strokes.join("") },
        style: { fill: "none", stroke: colour, lineWidth: 1, opacity: 0.75 },
      };
    },
  };
}

/** The median's mark, in the variant's shape, set off from the strokes behind it. */
export function medianSeries(at: number, median: number, { colour, symbol }: VariantStyle) {
  return {
    type: "scatter",
    silent: true,
    z: 4,
    symbol,
    symbolSize: 9,
    data: [[median, at]],
    itemStyle: { color: colour, borderColor: colours.page, borderWidth: 1.5, opacity: 1 },
    label: { show: false },
  };
}
