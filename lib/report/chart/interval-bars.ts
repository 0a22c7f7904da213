/** What a custom series is given to draw one item; the library's own types for it are far larger. */
interface DrawingApi {
  value(dimension: number): number;
  coord(point: readonly [number, number]): readonly [number, number];
}

export interface IntervalBar {
  /** Where on the other axis. */
  readonly at: number;
  readonly low: number;
  readonly high: number;
}

const capPx = 4;

/** A series of intervals with caps, along y (upright) or along x (lying). */
export function intervalSeries(
  bars: readonly IntervalBar[],
  along: "x" | "y",
  colour: string,
  axes: { readonly lineWidth?: number } = {},
) {
  const lineWidth = axes.lineWidth ?? 1.6;
  return {
    type: "custom",
    silent: true,
    z: 3,
    // An axis without ends of its own reaches as far as the intervals do.
    encode: along === "y" ? { x: 0, y: [1, 2] } : { x: [1, 2], y: 0 },
    data: bars.map(({ at, low, high }) => [at, low, high]),
    renderItem: (_: unknown, api: DrawingApi) => {
      const at = api.value(0);
      const end = (bound: number) =>
        api.coord(along === "y" ? [at, api.value(bound)] : [api.value(bound), at]);
      const [x1, y1] = end(1);
      const [x2, y2] = end(2);
      const parts = [
        [x1, y1, x2, y2],
        ...[
          [x1, y1],
          [x2, y2],
        ].map(([x = 0, y = 0]) =>
          along === "y" ? [x - capPx, y, x + capPx, y] : [x, y - capPx, x, y + capPx],
        ),
      ];
      const pathData = parts.map(([a, b, c, d]) => `M${a} ${b}L${c} ${d}`).join("");
      const style = { stroke: colour, fill: "none", lineWidth };
      return { type: "path", shape: { pathData }, style, silent: true };
    },
  };
}
