/** Of the one stack that Kelvin has in an account and region. */
export const stackName = "Kelvin";
