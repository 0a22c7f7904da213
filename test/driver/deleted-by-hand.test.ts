import { expect, it } from "vitest";
import { jsonError } from "../support/fake-aws/http.ts";
import { execute, portsFor } from "../support/state-machine.ts";
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

it("a function that was deleted by hand is named so before anything is measured", async () => {
  const ports = portsFor(twoSizes);
  const [name = ""] = [...ports.fakeLambda.functions.keys()].filter((each) =>
    /python.*512/.test(each),
  );
  ports.fakeLambda.functions.delete(name);
  const { end } = await execute(twoSizes, ports, oneTrial);
  expect(end.status).toBe("FAILED");
  const told = JSON.stringify(end);
  expect(told).toContain(`the function ${name} (the steps Try functions, Measure and Restore`);
  expect(told).toContain(remedy);
});
