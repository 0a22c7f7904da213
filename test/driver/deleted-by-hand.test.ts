import { expect, it } from "vitest";
import type { CellFailure } from "../../lib/contract/types/contract.ts";
import { jsonError } from "../support/fake-aws/http.ts";
import { execute, portsFor, stored } from "../support/state-machine.ts";
import { oneTrial, twoSizes } from "../support/two-sizes-run.ts";

const remedy =
  "kelvin deploy --revert-drift, with the options of the first deploy, creates it anew";

it("a table that was deleted by hand fails the run with its name, the step and the remedy", async () => {
  const ports = portsFor(twoSizes);
  // https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchWriteItem.html
  ports.fakeDynamoDb.respond = () =>
    jsonError(400, "ResourceNotFoundException", "Requested resource not found");
  const { end } = await execute(twoSizes, ports, oneTrial);
  expect(end.status).toBe("FAILED");
  const told = JSON.stringify(end);
  expect(told).toMatch(/the table \S+ \(the step Seed writes its items.*\) was deleted by hand/);
  expect(told).toContain(remedy);
});

it("a function that was deleted by hand fails the run before its first block, with its name and the remedy", async () => {
  const ports = portsFor(twoSizes);
  const [name = ""] = [...ports.fakeLambda.functions.keys()].filter((each) =>
    /python.*512/.test(each),
  );
  ports.fakeLambda.functions.delete(name);
  const { end, history } = await execute(twoSizes, ports, oneTrial);
  expect(end).toMatchObject({ status: "FAILED", error: "FunctionFails" });
  const named = `the function ${name} (the steps Try functions, Measure and Restore need it)`;
  expect(end).toHaveProperty("cause", expect.stringContaining(named));
  expect(end).toHaveProperty("cause", expect.stringContaining(remedy));
  expect(history).not.toContain("Measure");
});

it("a function that is deleted by hand during a run is named so in the failure of its trial", async () => {
  const ports = portsFor(twoSizes);
  const [name = ""] = [...ports.fakeLambda.functions.keys()].filter((each) =>
    /python.*512/.test(each),
  );
  await execute(twoSizes, ports, { ...oneTrial, cold: 2 }, (handler, { block }) => {
    const isSecond = handler === "DrivermeasureFunction" && block === 1;
    if (isSecond) ports.fakeLambda.functions.delete(name);
  });
  const [failure] = stored<CellFailure>(ports, "failures");
  expect(failure?.message).toContain(`the function ${name} (the steps Try functions, Measure and`);
  expect(failure?.message).toContain(remedy);
});
