/** The runner's own listeners would end its worker. */
const others = new Set(
  (["SIGINT", "SIGTERM", "SIGHUP"] as const).flatMap((name) => process.listeners(name)),
);

/** Calls what the signal would, such as SIGINT for Ctrl-C. */
export function interrupt(name: "SIGINT" | "SIGTERM" | "SIGHUP" = "SIGINT"): void {
  for (const listener of process.listeners(name)) if (!others.has(listener)) listener(name);
}
