import type { Fetch } from "@troupe/core";

/** The platform's fetch, looked up at the call so that whoever replaces it is heard. */
export const defaultFetch: Fetch = (input, init) => globalThis.fetch(input, init);
