/**
 * Words of models, documents and other agents without what a terminal would obey: of the control
 * characters only line breaks and tabs stay, so no escape sequence does, and nothing is shown in
 * another order than it is written. Joiners stay: scripts and emoji need them.
 */
export function harmless(text: string): string {
  return text.replaceAll(/[^\P{Cc}\n\t]|[\p{Bidi_Control}\p{Zl}\p{Zp}]/gu, "");
}

/** The same on one line: what others wrote can then make no line that looks like one of ours. */
export function oneLine(text: string): string {
  return harmless(text).replaceAll(/\s+/g, " ").trim();
}

/** JSON of which nothing can hide: what has no width, or turns the order, is written as an escape. */
export function visibleJson(value: unknown): string {
  const json = JSON.stringify(value) ?? "";
  return json.replaceAll(/[\p{Cf}\p{Zl}\p{Zp}\p{Cc}\p{Default_Ignorable_Code_Point}]/gu, (hidden) =>
    hidden
      .split("")
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
      .join(""),
  );
}
