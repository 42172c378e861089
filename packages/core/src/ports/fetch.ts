/** The platform's `fetch`, or what stands in for it: one that checks where it leads, or a fake. */
export type Fetch = typeof globalThis.fetch;
