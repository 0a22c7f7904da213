/** Dates, YYYY-MM-DD, on which Lambda deprecates a runtime, and refuses to create and to update functions on it. */
interface RuntimeLifecycle {
  readonly deprecated: string;
  readonly createBlocked: string;
  readonly updateBlocked: string;
}

/** Date of the table. AWS changes these dates, mostly to later ones. */
const lifecycleDate = "2026-06-02";

/**
 * All runtimes on which functions could be created on the table's date, and those on which they could still be
 * updated. AWS's table is https://docs.aws.amazon.com/lambda/latest/dg/lambda-runtimes.html; the dates are those that
 * https://github.com/aws-cloudformation/cfn-lint took from it (LmbdRuntimeLifecycle.json). A runtime without a known
 * date is not in it.
 */
const lifecycles: Readonly<Record<string, RuntimeLifecycle>> = {
  "provided.al2": dates("2026-07-31", "2027-02-01", "2027-03-03"),
  "provided.al2023": dates("2029-06-30", "2029-07-31", "2029-08-31"),
  "python3.8": dates("2024-10-14", "2027-02-01", "2027-03-03"),
  "python3.9": dates("2025-12-15", "2027-02-01", "2027-03-03"),
  "python3.10": dates("2026-10-31", "2027-02-01", "2027-03-03"),
  "python3.11": dates("2027-06-30", "2027-07-31", "2027-08-31"),
  "python3.12": dates("2028-10-31", "2028-11-30", "2029-01-10"),
  "python3.13": dates("2029-06-30", "2029-07-31", "2029-08-31"),
  "python3.14": dates("2029-06-30", "2029-07-31", "2029-08-31"),
  "nodejs16.x": dates("2024-06-12", "2027-02-01", "2027-03-03"),
  "nodejs18.x": dates("2025-09-01", "2027-02-01", "2027-03-03"),
  "nodejs20.x": dates("2026-04-30", "2027-02-01", "2027-03-03"),
  "nodejs22.x": dates("2027-04-30", "2027-06-01", "2027-07-01"),
  "nodejs24.x": dates("2028-04-30", "2028-06-01", "2028-07-01"),
  "java8.al2": dates("2027-06-30", "2027-07-31", "2027-08-31"),
  java11: dates("2027-06-30", "2027-07-31", "2027-08-31"),
  java17: dates("2027-06-30", "2027-07-31", "2027-08-31"),
  java21: dates("2029-06-30", "2029-07-31", "2029-08-31"),
  java25: dates("2029-06-30", "2029-07-31", "2029-08-31"),
  dotnet6: dates("2024-12-20", "2027-02-01", "2027-03-03"),
  dotnet8: dates("2026-11-10", "2027-02-01", "2027-03-03"),
  dotnet10: dates("2028-11-14", "2028-12-14", "2029-01-15"),
  "ruby3.2": dates("2026-03-31", "2027-02-01", "2027-03-03"),
  "ruby3.3": dates("2027-03-31", "2027-04-30", "2027-05-31"),
  "ruby3.4": dates("2028-03-31", "2028-04-30", "2028-05-31"),
  "ruby4.0": dates("2029-03-31", "2029-04-30", "2029-05-31"),
  // Functions can no longer be created on these, but can be updated until 2027-03-03.
  provided: dates("2024-01-08", "2024-02-08", "2027-03-03"),
  "python3.7": dates("2023-12-04", "2024-01-09", "2027-03-03"),
  "nodejs14.x": dates("2023-12-04", "2024-01-09", "2027-03-03"),
  java8: dates("2024-01-08", "2024-02-08", "2027-03-03"),
  "ruby2.7": dates("2023-12-07", "2024-01-09", "2027-03-03"),
};

function dates(deprecated: string, createBlocked: string, updateBlocked: string): RuntimeLifecycle {
  return { deprecated, createBlocked, updateBlocked };
}

/**
 * Notice that AWS gives of a deprecation: https://docs.aws.amazon.com/lambda/latest/dg/runtime-support-policy.html
 */
const noticeDays = 180;

/**
 * Returns one line for each runtime that is deprecated or will be within 180 days, and for each one without dates.
 * @param today YYYY-MM-DD
 */
export function listLifecycleNotes(
  runtimes: readonly string[],
  today: string = thisDay(),
): readonly string[] {
  return [...new Set(runtimes)].filter(isManagedRuntime).flatMap((runtime) => {
    const lifecycle = lifecycles[runtime];
    const isNear = lifecycle === undefined || lifecycle.deprecated <= addDays(today, noticeDays);
    return isNear ? [describeLifecycle(runtime, today)] : [];
  });
}

/** Describes in a line when a runtime is deprecated, and when Lambda refuses to create and update functions on it. */
export function describeLifecycle(runtime: string, today: string = thisDay()): string {
  const lifecycle = lifecycles[runtime];
  if (lifecycle === undefined) {
    return `${runtime}: no deprecation date is known (AWS's dates of ${lifecycleDate})`;
  }
  const { deprecated, createBlocked, updateBlocked } = lifecycle;
  const deprecation =
    deprecated <= today ? `deprecated since ${deprecated}` : `deprecated on ${deprecated}`;
  const creating = createBlocked <= today ? "blocked since" : "blocked from";
  const updating = updateBlocked <= today ? "since" : "from";
  return (
    `${runtime}: ${deprecation}; creating functions is ${creating} ${createBlocked}, updating them ` +
    `${updating} ${updateBlocked} (AWS's dates of ${lifecycleDate})`
  );
}

function thisDay(): string {
  return new Date().toISOString().slice(0, 10);
}

/** Returns false for an image, and for a name that is not a Lambda runtime's. */
export function isManagedRuntime(runtime: string): boolean {
  return /^(provided|python|nodejs|java|dotnet|ruby)/.test(runtime);
}

function addDays(day: string, days: number): string {
  const time = Date.parse(`${day}T00:00:00Z`) + days * 24 * 3_600_000;
  return new Date(time).toISOString().slice(0, 10);
}
