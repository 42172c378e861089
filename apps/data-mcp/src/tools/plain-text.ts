/**
 * Text of a cell or a name as Markdown that shows it and does nothing: no image or link is fetched, no
 * tag is read, and no `[id]` passes for a citation.
 */
export function plainText(text: string): string {
  return text.replace(/[\\[\]<|`]/g, "\\$&");
}
