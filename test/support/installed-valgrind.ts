import {
  findValgrind,
  howToHaveValgrind,
  installValgrind,
  type Valgrind,
} from "../../lib/toolchain/valgrind.ts";

/** Installs valgrind if possible. Throws with what to install if not. */
export async function installedValgrind(): Promise<Valgrind> {
  const failure = await installValgrind().then(
    () => "apt-get installs for root alone",
    (error: Error) => error.message,
  );
  const valgrind = findValgrind();
  if (valgrind !== undefined) return valgrind;
  throw new Error(
    `counting instructions: found no valgrind that runs; it needs ${howToHaveValgrind}: ${failure}`,
  );
}
