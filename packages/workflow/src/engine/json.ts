import type { Json } from "@troupe/stream";

// The one place where typed values meet the journal's JSON: interfaces of other packages have no
// index signature, so the compiler cannot see that they are plain data.

/** For plain data only: what does not survive `JSON.stringify` is lost. */
export const toJson = (value: object): Json => value as Json;

/** For values this package put in itself, under the journal's version. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller names what it put in
export const fromJson = <T>(value: Json): T => value as unknown as T;
