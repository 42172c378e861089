import type { Redact } from "./redact.ts";

/** Ready-made patterns for `redactPatterns`. */
export const E_MAIL = /[\p{L}\p{N}._%+-]{1,64}@(?:[\p{L}\p{N}-]{1,63}\.){1,8}\p{L}{2,24}/gu;

/** Between groups of digits: spaces, also those that do not break, and dashes. */
const GAP = "[ \\u00a0\\u2007\\u2009\\u202f\\u2010-\\u2015\\u2212-]";
/** No word or number goes on here. */
const BEFORE = String.raw`(?<![\p{L}\p{N}]|\p{N}[.,])`;
const BEHIND = String.raw`(?![\p{L}\p{N}]|[.,]\p{N})`;
/** DE89 3704 ..., in groups of four or in one. */
const IBAN = String.raw`[A-Z]{2}\d{2}(?:[A-Z\d]{11,30}|${GAP}[A-Z\d]{4}(?:${GAP}\d{4}){1,6}(?:${GAP}[A-Z\d]{1,4}){0,3})`;
const GROUPED = String.raw`\+?(?:\(\d{1,4}\)${GAP}?)?\d(?:${GAP}?\d){8,33}`;
/** Two dots at least, and not between thousands. */
const DOTTED = String.raw`(?!\d{1,3}(?:\.\d{3}){1,12}(?![.\d]))(?=\+?[\d ]{1,12}\.\d{1,12}\.)\+?\d(?:(?:\.|${GAP})?\d){8,33}`;

/** Nine digits or more, perhaps in groups, as of accounts, cards and phones. */
export const LONG_NUMBER = new RegExp(`${BEFORE}(?:${IBAN}|${GROUPED}|${DOTTED})${BEHIND}`, "gu");

/** A `redact` that puts `[name]` in the place of what matches the pattern of that name, such as `[e-mail]`. */
export function redactPatterns(
  patterns: { readonly [name: string]: RegExp } = { "e-mail": E_MAIL, number: LONG_NUMBER },
): Redact {
  const all = Object.entries(patterns).map(
    ([name, pattern]) =>
      [
        new RegExp(pattern, pattern.flags.includes("g") ? pattern.flags : `${pattern.flags}g`),
        `[${name}]`,
      ] as const,
  );
  return (text) => all.reduce((rest, [pattern, mark]) => rest.replace(pattern, () => mark), text);
}
