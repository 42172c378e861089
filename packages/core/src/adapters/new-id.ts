/** A random UUID. */
export const randomId = (): string => crypto.randomUUID();
