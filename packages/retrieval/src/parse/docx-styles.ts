import { readXml } from "./xml.ts";

/** Heading level of paragraph styles by style id; the document title counts as level 1. */
export function readHeadingStyles(stylesXml: string): ReadonlyMap<string, number> {
  const own = new Map<string, number>();
  const basedOn = new Map<string, string>();
  let style = "";
  readXml(stylesXml, {
    open(name, attributes) {
      const value = attributes["w:val"] ?? "";
      if (name === "w:style") style = attributes["w:styleId"] ?? "";
      else if (name === "w:name") {
        const level = /^heading (\d)$/i.exec(value)?.[1];
        if (level !== undefined) own.set(style, Number(level));
        else if (/^title$/i.test(value)) own.set(style, 1);
      } else if (name === "w:basedOn") basedOn.set(style, value);
      else if (name === "w:outlineLvl" && /^[0-8]$/.test(value) && !own.has(style))
        own.set(style, Number(value) + 1);
    },
  });
  const levels = new Map(own);
  for (const id of basedOn.keys()) {
    const level = inherited(id, own, basedOn);
    if (level !== undefined) levels.set(id, level);
  }
  return levels;
}

function inherited(
  id: string,
  own: ReadonlyMap<string, number>,
  basedOn: ReadonlyMap<string, string>,
): number | undefined {
  let at: string | undefined = id;
  // Bounded: a file may declare styles based on each other in a circle.
  for (let depth = 0; at !== undefined && depth < 12; depth += 1) {
    const level = own.get(at);
    if (level !== undefined) return level;
    at = basedOn.get(at);
  }
  return undefined;
}
