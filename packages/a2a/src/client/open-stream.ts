import type { StreamResponse } from "@a2a-js/sdk";

type Next = IteratorResult<StreamResponse, unknown>;

/** A stream of which the first event is there, or that ended without one. */
export interface OpenStream {
  readonly first: Next;
  readonly rest: AsyncGenerator<StreamResponse, unknown, undefined>;
}

/** Waits for the first event: what fails before it may be asked for again, what fails after it may not. */
export async function openStream(rest: OpenStream["rest"]): Promise<OpenStream> {
  return { first: await rest.next(), rest };
}
