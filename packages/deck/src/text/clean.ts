// What XML 1.0 cannot hold, and what would reorder or hide text for a reader: C0 and C1 controls, the
// two non-characters, and the controls of text direction.
const FORBIDDEN =
  // oxlint-disable-next-line no-control-regex -- these are what is taken out
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u0084\u0086-\u009f\p{Bidi_Control}\ufeff\ufffe\uffff]/gu;

/** Text that is safe in XML and on a slide, its line breaks kept. Lone surrogates become U+FFFD. */
export function cleanText(text: string): string {
  return text
    .toWellFormed()
    .replace(/\r\n?|\u0085|\u2028|\u2029/g, "\n")
    .replace(FORBIDDEN, "")
    .normalize("NFC")
    .replace(/[^\S\n]+/g, " ")
    .replace(/ ?\n ?/g, "\n")
    .trim();
}

/** The same on one line. */
export function cleanLine(text: string): string {
  return cleanText(text).replace(/\s+/g, " ");
}
