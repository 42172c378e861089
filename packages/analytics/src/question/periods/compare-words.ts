/** Words that set two things side by side. */
export const COMPARE: ReadonlySet<string> = new Set([
  "compare",
  "compared",
  "comparing",
  "comparison",
  "versus",
  "vs",
  "against",
  "yoy",
]);
