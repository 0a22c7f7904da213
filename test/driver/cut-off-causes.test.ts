import { describe, expect, it } from "vitest";
import { causeMessage } from "../../lambdas/driver/cause-message.ts";
import type { CellFailure } from "../../lib/contract/types/contract.ts";
import { jsonata, messageExpression } from "../../lib/infra/run-states.ts";
import { evaluated } from "../support/asl-expression.ts";
import { failing, stored } from "../support/state-machine.ts";
import { oneTrial, run } from "../support/two-sizes-run.ts";

const limit = 32_768;
const wrapped = (errorMessage: string) =>
  JSON.stringify({ errorType: "Error", errorMessage, trace: ["at x {}", "at y }"] });
const inState = async (cause: string) =>
  await evaluated(jsonata(messageExpression('"Error"', "$states.cause")), {
    states: { cause },
    variables: {},
  });

describe("a cause", () => {
  const messages = ["short", "", 'with "quotes", \\ and\na line', "ä😀", "/path/to"];

  it.each(messages)("that is whole gives its message: %j", async (message) => {
    expect(causeMessage(wrapped(message))).toBe(message);
    expect(await inState(wrapped(message))).toBe(message);
  });

  it("that was cut off anywhere gives what there is of its message, and fails nothing", async () => {
    const whole = 'a "quoted"\n\u0001 text\\';
    const cause = wrapped(whole);
    for (let length = cause.indexOf("quoted"); length <= cause.length; length += 1) {
      const told = causeMessage(cause.slice(0, length));
      expect(whole.startsWith(told), `${length}: ${told}`).toBe(true);
      expect(await inState(cause.slice(0, length))).toBe(told);
    }
  });

  it("that is no JSON stands as it is", async () => {
    expect(causeMessage("a person stopped it")).toBe("a person stopped it");
    expect(await inState("a person stopped it")).toBe("a person stopped it");
  });
});

describe("a run whose driver's error is longer than Step Functions keeps", () => {
  const tooLong = `it broke: ${'"x\\ '.repeat(limit)}`;

  it.each(["plan", "seed", "restore", "report", "overview"])(
    "in %s ends as failed, with the beginning of the message",
    async (name) => {
      const { end } = await run(oneTrial, { onDriver: failing(name, tooLong) });
      const cause = expect.stringContaining('it broke: "x');
      expect(end).toMatchObject({ status: "FAILED", cause });
    },
  );

  it("in a trial records the trial as failed, with the beginning of the message", async () => {
    const { end, ports } = await run(
      { ...oneTrial, cold: 2 },
      {
        onDriver: (handler, { block }) => {
          if (handler === "DrivermeasureFunction" && block === 1) throw new Error(tooLong);
        },
      },
    );
    expect(end.status).toBe("SUCCEEDED");
    const [failure] = stored<CellFailure>(ports, "failures");
    expect(failure?.message).toMatch(/^driver: it broke: "x\\ "x/);
  });
});
