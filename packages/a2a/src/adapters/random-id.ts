/** A fresh UUID, from the platform: Node and browsers have the same one. */
export function randomId(): string {
  return globalThis.crypto.randomUUID();
}
