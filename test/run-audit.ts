import { audits, runAudits } from "./run/audit.ts";

// `npm run audit`: known advisories against the lockfiles. Ends with 0 where every database was asked and has
// none, 1 where one has some, 3 where one could not be asked. pip-audit and cargo-audit have to be installed.

process.exitCode = runAudits(audits, (line) => void process.stdout.write(`${line}\n`));
