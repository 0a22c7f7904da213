/** The variants that this experiment's reasoning names. */
export const breakdown = "breakdown";
/** The baseline's crypto library without its one-time gathering of entropy. */
export const noJitter = "no-jitter";
/** Another crypto library. */
export const ring = "ring";
