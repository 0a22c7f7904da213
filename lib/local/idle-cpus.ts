import { accessSync, closeSync, constants, openSync, readFileSync, writeSync } from "node:fs";

interface IdleFiles {
  /** How the kernel idles a CPU. */
  readonly driver: string;
  /** How many µs a CPU may take to leave an idle state, for as long as the file is open. */
  readonly latency: string;
}

/**
 * https://docs.kernel.org/admin-guide/pm/cpuidle.html and
 * https://docs.kernel.org/power/pm_qos_interface.html: the kernel takes a request back when its process
 * ends, however that ends.
 */
const kernelFiles: IdleFiles = {
  driver: "/sys/devices/system/cpu/cpuidle/current_driver",
  latency: "/dev/cpu_dma_latency",
};

/** Idle CPUs that poll. */
interface Polling {
  end(): void;
}

/**
 * Has this machine's idle CPUs poll in place of halting, until it is told to end or this process does. A
 * halted CPU of a virtual machine gives up the physical one, and code that runs in short bursts, as a
 * throttled function does, then takes more CPU time for the same work. Undefined where a halt gives nothing
 * up (no virtual machine), where the kernel does not choose between the two, and where only root may ask.
 */
export function pollWhenIdle(files: IdleFiles = kernelFiles): Polling | undefined {
  if (!mayPollWhenIdle(files)) return undefined;
  const descriptor = openSync(files.latency, "w");
  writeSync(descriptor, new Int32Array([0]));
  return { end: () => closeSync(descriptor) };
}

/** Whether a run has idle CPUs poll here. */
export function mayPollWhenIdle({ driver, latency }: IdleFiles = kernelFiles): boolean {
  try {
    accessSync(latency, constants.W_OK);
    // The driver for virtual machines: https://docs.kernel.org/virt/guest-halt-polling.html
    return readFileSync(driver, "utf8").trim() === "haltpoll";
  } catch {
    return false;
  }
}
