/**
 * Words of models, documents and other agents without what a terminal would obey: of the control
 * characters only line breaks and tabs stay, so no escape sequence does.
 */
export function harmless(text: string): string {
  return text.replaceAll(/[^\P{Cc}\n\t]/gu, "");
}
