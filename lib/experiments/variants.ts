import type { CargoBuild, Variant } from "../plan/experiment.ts";

/**
 * Build of the tuned variants: a profile of Cargo.toml, for the oldest CPUs that Lambda guarantees: Graviton2's core
 * for arm64 (https://docs.aws.amazon.com/lambda/latest/dg/foundation-arch.html) and AVX2 for x86_64
 * (https://docs.aws.amazon.com/lambda/latest/dg/runtimes-avx2.html). These are cargo-lambda's defaults too; plain
 * cargo, which builds for this machine, does not set them.
 */
export const tunedBuild: Pick<CargoBuild, "profile" | "environment"> = {
  profile: "tuned",
  environment: {
    CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUSTFLAGS: "-C target-cpu=neoverse-n1",
    CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_RUSTFLAGS: "-C target-cpu=haswell",
  },
};

/** A variant in Rust, built as releases are unless its source says otherwise. */
export function rustVariant(
  id: string,
  label: string,
  { profile = "release", ...build }: Omit<CargoBuild, "profile"> & Partial<CargoBuild>,
): Variant {
  const source = { kind: "cargo", ...build, profile } as const;
  return { id, label, language: "rust", runtime: "provided.al2023", source };
}

/** A variant in Python, by its handler and, if it has packages besides the runtime's, their list. */
export function pythonVariant(
  id: string,
  label: string,
  handler: string,
  packages: { readonly requirements?: string } = {},
): Variant {
  const source = { kind: "python", handler, ...packages } as const;
  return { id, label, language: "python", runtime: "python3.13", source };
}
