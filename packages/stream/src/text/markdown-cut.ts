/** An open fence of a code block: what closes it is at least as long a run of the same character. */
export interface Fence {
  readonly marker: "`" | "~";
  readonly length: number;
}

/** The fence that is open after a whole line. */
export function fenceAfter(line: string, open: Fence | undefined): Fence | undefined {
  const run = /^ {0,3}(`{3,}|~{3,})(.*)/.exec(line);
  const marker = run?.[1]?.[0];
  if (run?.[1] === undefined || (marker !== "`" && marker !== "~")) return open;
  const { length } = run[1];
  const rest = run[2]?.trim() ?? "";
  if (open !== undefined) {
    const closes = marker === open.marker && length >= open.length && rest === "";
    return closes ? undefined : open;
  }
  // "```a```" is code within a line, not the beginning of a block.
  return marker === "`" && rest.includes("`") ? undefined : { marker, length };
}

/**
 * Where in a line that is still being written something begins that is not closed yet: code, `**`,
 * a link; the whole line when it is one of code. The length of the line when nothing is open.
 */
export function openAt(line: string, fence: Fence | undefined): number {
  if (fence !== undefined || fenceAfter(line, undefined) !== undefined) return 0;
  let strong = -1;
  let at = 0;
  while (at < line.length) {
    const next = spanEnd(line, at);
    if (next === -1) return strong === -1 ? at : strong;
    if (line.startsWith("**", at)) {
      strong = strong === -1 ? at : -1;
    } else if (line[at] === "*" && at === line.length - 1) {
      return strong === -1 ? at : strong;
    }
    at = next;
  }
  return strong === -1 ? line.length : strong;
}

/** The end of what begins at `at`, one character or more; -1 when its end is not there yet. */
function spanEnd(line: string, at: number): number {
  switch (line[at]) {
    case "\\":
      return at + 2;
    case "*":
      return line.startsWith("**", at) ? at + 2 : at + 1;
    case "`":
      return codeEnd(line, at);
    case "[":
      return linkEnd(line, at);
    case "!":
      return line[at + 1] === "[" ? linkEnd(line, at + 1) : at + 1;
    default:
      return at + 1;
  }
}

/** Code ends with a run of as many backticks as it began with. */
function codeEnd(line: string, at: number): number {
  let length = 1;
  while (line[at + length] === "`") length++;
  for (let from = at + length; ;) {
    const start = line.indexOf("`", from);
    if (start === -1) return -1;
    let run = 1;
    while (line[start + run] === "`") run++;
    if (run === length) return start + run;
    from = start + run;
  }
}

function linkEnd(line: string, at: number): number {
  const close = line.indexOf("]", at);
  // A `(` may follow the bracket.
  if (close === -1 || close === line.length - 1) return -1;
  if (line[close + 1] !== "(") return at + 1;
  const end = line.indexOf(")", close);
  return end === -1 ? -1 : end + 1;
}

/** The text ends in the first half of a surrogate pair. */
export function endsInHalf(text: string): boolean {
  return /[\ud800-\udbff]$/.test(text);
}

function isInPair(text: string, cut: number): boolean {
  return /^[\ud800-\udbff][\udc00-\udfff]$/.test(text.slice(cut - 1, cut + 1));
}

/** False inside a surrogate pair, a line end, or a run that may be the marker of a fence. */
export function mayCut(text: string, cut: number): boolean {
  const before = text[cut - 1];
  const after = text[cut];
  if (before === "\r" && after === "\n") return false;
  if (before === after && (before === "`" || before === "~")) return false;
  return !isInPair(text, cut);
}

/** Units at the end that may be the first part of one thing: half a pair, half a line end, half a marker. */
export function unfinished(text: string): number {
  const last = text.at(-1);
  if (last === undefined) return 0;
  if (last === "\r" || endsInHalf(last)) return 1;
  if (last !== "`" && last !== "~") return 0;
  let at = text.length - 1;
  while (at > 0 && text[at - 1] === last) at--;
  return text.length - at;
}

/** The last place at which a piece of at most `max` units may end: a line, else a word, else any. */
export function splitAt(text: string, max: number): number {
  if (text.length <= max) return text.length;
  const head = text.slice(0, max);
  const line = head.lastIndexOf("\n") + 1;
  if (line > 0) return line;
  const word = afterLastSpace(head);
  if (word > 0 && mayCut(text, word)) return word;
  for (let cut = max; cut > 0; cut--) if (mayCut(text, cut)) return cut;
  // A run longer than a piece may be: it has to be cut, if not within a character.
  return isInPair(text, max) ? max - 1 : max;
}

/** After the last white space; 0 when there is none. */
export function afterLastSpace(text: string): number {
  for (let at = text.length; at > 0; at--) if (/\s/.test(text[at - 1] ?? "")) return at;
  return 0;
}
