/** Digits a double holds without loss. */
const EXACT_DIGITS = 15;

/** A number when a double gives the same digits back, else the text. */
export function exactNumber(text: string): number | string {
  const digits = text.replace(/^-?0*\.?0*|\D/g, "").length;
  return digits <= EXACT_DIGITS ? Number(text) : text;
}
