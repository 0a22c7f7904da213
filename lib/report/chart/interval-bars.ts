/** What a custom series is given to draw one item; the library's own types for it are far larger. */
interface DrawingApi {
  value(dimension: number): number;
  coord(point: readonly [number, number]): readonly [number, number];
}

interface LineShape {
  readonly type: "line";
  readonly shape: {
    readonly x1: number;
    readonly y1: number;
    readonly x2: number;
    readonly y2: number;
  };
  readonly style: { readonly stroke: string; readonly fill: "none"; readonly lineWidth: number };
  readonly silent: true;
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
  const line = (x1: number, y1: number, x2: number, y2: number): LineShape => ({
    type: "line",
    shape: { x1, y1, x2, y2 },
    style: { stroke: colour, fill: "none", lineWidth },
    silent: true,
  });
  return {
    type: "custom",
    silent: true,
    z: 3,
    data: bars.map(({ at, low, high }) => [at, low, high]),
    renderItem: (_: unknown, api: DrawingApi) => {
      const at = api.value(0);
      const end = (bound: number) =>
        api.coord(along === "y" ? [at, api.value(bound)] : [api.value(bound), at]);
      const [x1, y1] = end(1);
      const [x2, y2] = end(2);
      const caps =
        along === "y"
          ? [line(x1 - capPx, y1, x1 + capPx, y1), line(x2 - capPx, y2, x2 + capPx, y2)]
          : [line(x1, y1 - capPx, x1, y1 + capPx), line(x2, y2 - capPx, x2, y2 + capPx)];
      return { type: "group", children: [line(x1, y1, x2, y2), ...caps] };
    },
  };
}
