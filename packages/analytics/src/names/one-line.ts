const MAX_LABEL = 80;

/** Text of a cell or a name on one line, without control characters, at most 80 characters. */
export function oneLine(text: string, max: number = MAX_LABEL): string {
  const line = text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, " ").trim();
  return line.length > max ? `${line.slice(0, max - 1)}…` : line;
}

/** A cell's text inside a sentence: plain when it reads like a name, else in quotes, as data. */
export function saidLabel(text: string): string {
  const line = oneLine(text);
  return /^[\p{L}\p{N}][\p{L}\p{N} .,&/()'+-]{0,47}$/u.test(line) ? line : JSON.stringify(line);
}

/** Text as JSON on one line, whole: JSON leaves the line breaks of Unicode as they are. */
export function quoted(text: string): string {
  return JSON.stringify(text).replace(
    /[\u0085\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
