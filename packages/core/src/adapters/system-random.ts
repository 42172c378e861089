/** Uniform in [0, 1), for jitter only. */
export const systemRandom = (): number => Math.random();
