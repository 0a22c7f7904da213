import { listClaims } from "../../lib/prediction/claims.ts";
import { fitConstants, type Observation } from "../../lib/prediction/fit.ts";
import { rangeAround, type Spread } from "../../lib/prediction/spread.ts";
import { figure, row } from "./page-table.ts";

/** An Init that was published, and found only after the model and its constants were settled. */
interface FoundInit {
  readonly source: string;
  readonly what: string;
  /** The lowest and the highest published value, ms; equal if there is one. */
  readonly publishedMs: readonly [low: number, high: number];
  /** The study's claim about a function that does as little, as `listClaims` names it. */
  readonly claim: string;
}

const rust = "compute, Init `noop`, rust";
const python = "compute, Init `noop`, python";
const node = "hello, Init `hello`, node";

const health = "https://fulgurion.com/blog/posts/rust-on-aws-lambda-cold-start/";
const echo =
  "https://medium.com/@yalovoy/four-million-lambda-invokes-across-python-java-rust-and-go-5b9218f64563";
const services = "https://github.com/ssf531/AWS_Services_benchmark";

const found: readonly FoundInit[] = [
  {
    source: `[fulgurion](${health})`,
    what: "Rust with axum, a health check, 512 MB, arm64; five cold starts",
    publishedMs: [18, 22],
    claim: rust,
  },
  {
    source: `[Yalovoy](${echo})`,
    what: "Rust, an echo, median of 30 cold starts; size not given",
    publishedMs: [16.26, 16.26],
    claim: rust,
  },
  {
    source: `[Yalovoy](${echo})`,
    what: "Python, an echo, median of 30 cold starts; size not given",
    publishedMs: [76.3, 76.3],
    claim: python,
  },
  {
    source: `[ssf531](${services})`,
    what: "Python, mean; size not given",
    publishedMs: [119.67, 119.67],
    claim: python,
  },
  {
    source: `[ssf531](${services})`,
    what: "Node.js, mean; size not given",
    publishedMs: [124.85, 124.85],
    claim: node,
  },
];

/** Returns the marked section of docs/prediction.md about figures that no constant was fitted to. */
export function foundAfterwardsTable(
  observations: readonly Observation[],
  spread: Spread,
): readonly string[] {
  const claims = listClaims(observations, fitConstants(observations));
  return [
    row(["source", "function", "published Init, ms", "range here, ms", "within"]),
    row(["---", "---", "---:", "---:", "---"]),
    ...found.map(({ source, what, publishedMs: [low, high], claim: name }) => {
      const claim = claims.find((each) => each.what === name);
      if (claim === undefined) throw new Error(`${name}: the study has no such claim`);
      const range = rangeAround(claim.predicted, spread.of(claim.kind), 0);
      const published = low === high ? figure(low) : `${figure(low)} to ${figure(high)}`;
      const isWithin = low >= range.low && high <= range.high;
      const own = `${figure(range.low)} to ${figure(range.high)}`;
      return row([source, what, published, own, isWithin ? "yes" : "no"]);
    }),
  ];
}
