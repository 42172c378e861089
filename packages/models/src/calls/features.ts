/** A part of a request that some endpoints do not know, and how their refusal names it. */
export interface Feature<Name extends string> {
  readonly name: Name;
  readonly named: RegExp;
}

/**
 * Remembers, for one endpoint, what it refused. A refused feature is left out from then on, so the
 * 400 is paid once.
 */
export interface Features<Name extends string> {
  allows(name: Name): boolean;
  /** Which of the features `used` in a request the error refuses, if it is such a refusal. */
  refused(error: unknown, used: ReadonlySet<Name>): Name | undefined;
  drop(name: Name): void;
}

export function createFeatures<Name extends string>(known: readonly Feature<Name>[]): Features<Name> {
  const dropped = new Set<Name>();
  return {
    allows: (name) => !dropped.has(name),
    refused(error, used) {
      const { status, message } = error as { status?: unknown; message?: unknown };
      if ((status !== 400 && status !== 422) || typeof message !== "string") return undefined;
      return known.find(({ name, named }) => used.has(name) && named.test(message))?.name;
    },
    drop: (name) => void dropped.add(name),
  };
}
