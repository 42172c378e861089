/** Characters of a request that are looked at: the patterns take their time on long ones. */
const MAX_READ = 2_000;

/** The beginning of a request, on one line. */
export const oneLine = (request: string): string => request.slice(0, MAX_READ).replaceAll(/\s+/g, " ").trim();

/** Words of courtesy before what is asked for. */
const POLITE =
  /^(?:(?:please|kindly|hi|hello|hey)[,!]?\s+|(?:can|could|would|will) you (?:please |kindly )?(?=\w)|i(?:'d| would) like (?:you )?to |i (?:need|want) (?:you to |to )?|we need (?:you to |to )?|(?:just |now )(?=\w))/i;

export function withoutCourtesy(line: string): string {
  const rest = line.replace(POLITE, "");
  return rest === line ? line.replace(/[,\s]+please(?=[.!?]*$)/i, "") : withoutCourtesy(rest);
}

/** Where to look, and all that follows. */
const SOURCES =
  /[,;]?\s*\b(?:based on|from|using|in)\b\s+(?:our|the|these|those|my)\s+(?:documents|documentation|files|collection)\b.*$/i;

/** Without what only says where to look, and without the marks at its end. */
export function bare(phrase: string): string {
  const rest = phrase
    .replace(SOURCES, "")
    .replace(/[\s?.!:;,]+$/, "")
    .trim();
  return rest === "" ? phrase : rest;
}
