import { readXml } from "./xml.ts";

/** What styles of a Word document say that matters to its text; by style id, what is inherited included. */
export interface DocxStyles {
  /** Heading level; the document title counts as level 1. */
  readonly headings: ReadonlyMap<string, number>;
  /** Whether what is set in it is struck out. */
  readonly struck: ReadonlyMap<string, boolean>;
  /** Whether what is set in it is hidden. */
  readonly hidden: ReadonlyMap<string, boolean>;
  /** Whether what is set in it has a background. */
  readonly shaded: ReadonlyMap<string, boolean>;
}

export function readStyles(stylesXml: string): DocxStyles {
  const headings = new Map<string, number>();
  const struck = new Map<string, boolean>();
  const hidden = new Map<string, boolean>();
  const shaded = new Map<string, boolean>();
  const basedOn = new Map<string, string>();
  let style = "";
  readXml(stylesXml, {
    open(name, attributes) {
      const value = attributes["w:val"] ?? "";
      if (name === "w:style") style = attributes["w:styleId"] ?? "";
      else if (name === "w:name") {
        const level = /^heading (\d)$/i.exec(value)?.[1];
        if (level !== undefined) headings.set(style, Number(level));
        else if (/^title$/i.test(value)) headings.set(style, 1);
      } else if (name === "w:basedOn") basedOn.set(style, value);
      else if (isStrike(name)) struck.set(style, isOn(attributes) || struck.get(style) === true);
      else if (name === "w:vanish") hidden.set(style, isOn(attributes));
      else if (name === "w:shd") shaded.set(style, isColored(attributes));
      else if (name === "w:outlineLvl" && /^[0-8]$/.test(value) && !headings.has(style))
        headings.set(style, Number(value) + 1);
    },
  });
  return {
    headings: inherited(headings, basedOn),
    struck: inherited(struck, basedOn),
    hidden: inherited(hidden, basedOn),
    shaded: inherited(shaded, basedOn),
  };
}

/** Whether a shading, `w:shd`, is other than white: by its pattern, by a colour of the theme, or by its fill. */
export function isColored(shading: { readonly [name: string]: string }): boolean {
  const pattern = shading["w:val"] ?? "clear";
  // The colour "auto" of a pattern is black.
  if (!/^(?:clear|nil|none)?$/i.test(pattern) && !/^f{6}$/i.test(shading["w:color"] ?? "")) return true;
  const theme = shading["w:themeFill"];
  if (theme !== undefined && theme !== "none")
    return !/^(?:background1|light1)$/.test(theme) || shading["w:themeFillShade"] !== undefined;
  return !/^(?:auto|f{6})?$/i.test(shading["w:fill"] ?? "");
}

export const isStrike = (name: string): boolean => name === "w:strike" || name === "w:dstrike";

/** A property that is there is on, unless it says otherwise. */
export const isOn = (attributes: { readonly [name: string]: string }): boolean =>
  !["0", "false", "off", "none"].includes(attributes["w:val"] ?? "");

function inherited<T>(
  own: ReadonlyMap<string, T>,
  basedOn: ReadonlyMap<string, string>,
): ReadonlyMap<string, T> {
  const all = new Map(own);
  for (const id of basedOn.keys()) {
    let at: string | undefined = id;
    // Bounded: a file may declare styles based on each other in a circle.
    for (let depth = 0; at !== undefined && depth < 12; depth += 1) {
      const value = own.get(at);
      if (value !== undefined) {
        all.set(id, value);
        break;
      }
      at = basedOn.get(at);
    }
  }
  return all;
}
