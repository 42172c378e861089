/** At most `max` UTF-16 units, with an ellipsis where something was cut off. */
export function clip(text: string, max: number): string {
  return text.length <= max ? text : `${text.slice(0, max - 1).toWellFormed()}…`;
}

/** The first line that says something, at most `max` units. */
export function firstLine(text: string, max: number): string {
  const line = /\S[^\n]*/.exec(text)?.[0].trimEnd() ?? "";
  return clip(line, max);
}
