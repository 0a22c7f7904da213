/** True in `npm run test:release`, which has the time for whole sizes and every variant. */
export const isRelease: boolean = process.env.KELVIN_TESTS === "release";
