/** Classes of error codes of Postgres that no second try changes: data it does not take, bounds of its own. */
const REFUSED = ["21", "22", "23", "54"];

/** Whether it is what was to be written that is refused, and not that the database cannot write now. */
export function isRefused(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code: unknown = error.cause instanceof Error && "code" in error.cause ? error.cause.code : undefined;
  return typeof code === "string" && code.length === 5 && REFUSED.includes(code.slice(0, 2));
}
