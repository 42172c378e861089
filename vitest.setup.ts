import * as fc from "fast-check";

/**
 * Property tests draw the same cases in every run: a check is about the change, never about luck.
 * `TROUPE_TEST_SEED` is another seed, or `random` for a new one in each run: docs/testing.md.
 */
const seed = process.env["TROUPE_TEST_SEED"] ?? "20261122";
if (seed !== "random") {
  if (!/^-?\d{1,10}$/.test(seed))
    throw new Error(`TROUPE_TEST_SEED is a whole number or "random", not "${seed}"`);
  fc.configureGlobal({ seed: Number(seed) });
}
