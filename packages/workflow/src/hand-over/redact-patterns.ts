import type { Redact } from "./redact.ts";

/** Ready-made patterns for `redactPatterns`. */
export const E_MAIL = /[\p{L}\p{N}._%+-]{1,64}@(?:[\p{L}\p{N}-]{1,63}\.){1,8}\p{L}{2,24}/gu;
/** Nine digits or more, perhaps in groups, as of accounts, cards and phones. */
export const LONG_NUMBER = /(?<![\p{L}\p{N}.,])\+?\d(?:[ -]?\d){8,33}(?![\p{L}\p{N}]|[.,]\d)/gu;

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
