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

/** Characters of what is quoted in a verdict. */
const MAX_QUOTED = 200;

/** A value as it is quoted in a verdict; JSON that arrived as text is not escaped once more. */
export function quote(value: unknown): string {
  const text =
    typeof value === "string" && value.startsWith("{") ? value : (JSON.stringify(value) ?? "undefined");
  return text.length > MAX_QUOTED ? `${text.slice(0, MAX_QUOTED)}…` : text;
}

/** Whether two JSON values are written alike. */
export function same(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
