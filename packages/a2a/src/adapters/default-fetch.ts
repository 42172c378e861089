/** The platform's fetch, or one that stands in for it. */
export type Fetch = typeof globalThis.fetch;

/** The platform's fetch, looked up at the call so that whoever replaces it is heard. */
export const defaultFetch: Fetch = (input, init) => globalThis.fetch(input, init);
