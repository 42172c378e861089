import { clip } from "@troupe/core";

/** One wrong character may break every line after it. */
export const MAX_TOLD = 10;

/** The first ten different issues, and how many more there are; `untold` were left out before. */
export function tellIssues(issues: readonly string[], untold = 0): readonly string[] {
  const different = [...new Set(issues)];
  const more = untold + Math.max(0, different.length - MAX_TOLD);
  return [...different.slice(0, MAX_TOLD), ...(more > 0 ? [`and ${more} more`] : [])];
}

/** A name in quotes, and no more of it than anybody would read. */
export function quoted(name: string): string {
  return `"${clip(name, 80)}"`;
}
