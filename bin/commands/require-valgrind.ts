import { InvalidInput } from "../../lib/contract/errors.ts";
import { findValgrind, howToHaveValgrind, type Valgrind } from "../../lib/toolchain/valgrind.ts";

/** This machine's valgrind; throws InvalidInput, which says what to install, where there is none. */
export function requireValgrind(): Valgrind {
  const valgrind = findValgrind();
  if (valgrind !== undefined) return valgrind;
  throw new InvalidInput("instructions", "no valgrind that runs here", howToHaveValgrind);
}
