/** The server does not keep to a requirement. */
export class Violation extends Error {}

/** The agent does not do what the requirement is about, so there was nothing to see. */
export class NotExercised extends Error {}

export function demand(condition: boolean, problem: string): asserts condition {
  if (!condition) throw new Violation(problem);
}

export function notExercised(why: string): never {
  throw new NotExercised(why);
}

/** A value as it is quoted in a verdict. */
export function quote(value: unknown): string {
  return (JSON.stringify(value) ?? "undefined").slice(0, 200);
}

/** Whether two JSON values are written alike. */
export function same(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
