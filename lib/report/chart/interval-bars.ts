type Point = readonly [x: number, y: number];

/** What a custom series is given to draw one item; the library's own types for it are far larger. */
interface DrawingApi {
  value(dimension: number): number;
  coord(point: Point): Point;
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
  { lineWidth = 1.6 }: { readonly lineWidth?: number } = {},
) {
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
      const pathData = intervalPath(end(1), end(2), along);
      const style = { stroke: colour, fill: "none", lineWidth };
      return { type: "path", shape: { pathData }, style, silent: true };
    },
  };
}

/** A stroke from end to end, and one across each end. */
function intervalPath(low: Point, high: Point, along: "x" | "y"): string {
  const [acrossX, acrossY] = along === "y" ? [capPx, 0] : [0, capPx];
  const cap = ([x, y]: Point) => stroke([x - acrossX, y - acrossY], [x + acrossX, y + acrossY]);
  return stroke(low, high) + cap(low) + cap(high);
}

function stroke([x1, y1]: Point, [x2, y2]: Point): string {
  return `M${x1} ${y1}L${x2} ${y2}`;
}
