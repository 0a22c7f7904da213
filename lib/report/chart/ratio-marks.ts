import type { Comparison } from "../view/comparisons.ts";
import { markStyle } from "./mark-style.ts";
import { colours } from "./palette.ts";

/** A mark a row: filled where the verdict is decided, hollow where it is not. */
export function markSeries(
  rows: readonly (Comparison | undefined)[],
  colour: string,
  symbol: string,
) {
  return {
    type: "scatter",
    silent: true,
    z: 4,
    symbol,
    symbolSize: 9,
    data: rows.flatMap((row, at) => {
      if (row?.ratio === undefined) return [];
      const itemStyle = markStyle(colour, row.verdict !== "undecided");
      return [{ value: [row.ratio, at], itemStyle }];
    }),
    label: { show: false },
  };
}

interface BandApi {
  coord(point: readonly [number, number]): readonly [number, number];
}

interface BandParams {
  readonly coordSys: { readonly y: number; readonly height: number };
}

/** The margin as a band over the whole height, and the line where both take the same time. */
export function bandSeries(low: number, high: number, rows: number) {
  return {
    type: "custom",
    silent: true,
    z: 1,
    data: rows === 0 ? [] : [[1, 0]],
    renderItem: ({ coordSys: { y, height } }: BandParams, api: BandApi) => {
      const x = (value: number) => api.coord([value, 0])[0];
      return {
        type: "group",
        children: [
          {
            type: "rect",
            shape: { x: x(low), y, width: x(high) - x(low), height },
            style: { fill: colours.band },
          },
          {
            type: "line",
            shape: { x1: x(1), y1: y, x2: x(1), y2: y + height },
            style: { stroke: colours.ink, fill: "none", lineWidth: 1.2 },
          },
        ],
      };
    },
  };
}

/** A row's noise floor, to either side of 1, as a dashed frame of the row's height. */
export function floorSeries(floors: readonly (number | undefined)[], rowHeight: number) {
  const data = floors.flatMap((floor, at) => (floor === undefined ? [] : [[1 + floor, at]]));
  return {
    type: "custom",
    silent: true,
    z: 2,
    data,
    renderItem: ({ dataIndex }: { readonly dataIndex: number }, api: BandApi) => {
      const [factor = 1, at = 0] = data[dataIndex] ?? [];
      const [x1, y] = api.coord([1 / factor, at]);
      const [x2] = api.coord([factor, at]);
      return {
        type: "rect",
        shape: { x: x1, y: y - rowHeight / 2 + 2, width: x2 - x1, height: rowHeight - 4 },
        style: { fill: "none", stroke: colours.muted, lineWidth: 1, lineDash: [3, 2] },
      };
    },
  };
}
