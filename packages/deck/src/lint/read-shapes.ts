import type { Box } from "../layout/grid.ts";
import type { SeenRun, SeenShape, SeenText } from "./seen.ts";
import { at, childrenOf, findAll, type XmlNode } from "./xml-node.ts";

const EMU = 914_400;

/** What a slide inherits: the placeholders of its layout, for place and size where the slide has none. */
export interface Inherited {
  readonly placeholders: readonly XmlNode[];
}

/** Shapes of a slide or a layout, back to front, groups opened. */
export function readShapes(root: XmlNode, fromLayout: boolean, inherited?: Inherited): readonly SeenShape[] {
  const tree = at(root, "p:cSld", "p:spTree");
  return (tree?.children ?? []).flatMap((node) => readShape(node, fromLayout, inherited));
}

function readShape(node: XmlNode, fromLayout: boolean, inherited?: Inherited): readonly SeenShape[] {
  switch (node.name) {
    case "p:grpSp":
      return node.children.flatMap((child) => readShape(child, fromLayout, inherited));
    case "p:sp":
      return readText(node, fromLayout, inherited);
    case "p:pic":
      return frame(node, at(node, "p:spPr", "a:xfrm"), "picture", fromLayout);
    case "p:graphicFrame": {
      const table = findAll(node, "a:tbl")[0];
      const xfrm = at(node, "p:xfrm");
      if (table === undefined) return frame(node, xfrm, "chart", fromLayout);
      const height = childrenOf(table, "a:tr").reduce((h, row) => h + Number(row.attrs["h"] ?? 0), 0) / EMU;
      return frame(node, xfrm, "table", fromLayout).map((shape) => ({
        ...shape,
        box: { ...shape.box, h: Math.max(shape.box.h, height) },
      }));
    }
    default:
      return [];
  }
}

function frame(
  node: XmlNode,
  xfrm: XmlNode | undefined,
  kind: SeenShape["kind"],
  fromLayout: boolean,
): readonly SeenShape[] {
  const box = readBox(xfrm);
  if (box === undefined) return [];
  const altText = findAll(node, "p:cNvPr")[0]?.attrs["descr"];
  return [{ name: nameOf(node), kind, box, fromLayout, ...(altText === undefined ? {} : { altText }) }];
}

function readText(node: XmlNode, fromLayout: boolean, inherited?: Inherited): readonly SeenShape[] {
  const ph = at(node, "p:nvSpPr", "p:nvPr", "p:ph");
  const parent = ph === undefined ? undefined : inherited?.placeholders.find((p) => samePlaceholder(p, ph));
  const box = readBox(at(node, "p:spPr", "a:xfrm")) ?? readBox(at(parent, "p:spPr", "a:xfrm"));
  if (box === undefined) return [];
  // A layout's placeholder is a hint to the author; only its slide's counts.
  if (fromLayout && ph !== undefined) return [];
  const fill = at(node, "p:spPr", "a:solidFill", "a:srgbClr")?.attrs["val"];
  const body = at(node, "p:txBody");
  const text = body === undefined ? undefined : readBody(body, at(parent, "p:txBody"));
  const hasText = text !== undefined && (ph !== undefined || text.paragraphs.flat().length > 0);
  return [
    {
      name: nameOf(node),
      kind: hasText ? "text" : "other",
      box,
      fromLayout,
      ...(fill === undefined ? {} : { fill }),
      ...(hasText ? { text } : {}),
      ...(ph === undefined ? {} : { placeholder: ph.attrs["type"] ?? "body" }),
    },
  ];
}

function samePlaceholder(layoutShape: XmlNode, ph: XmlNode): boolean {
  const other = at(layoutShape, "p:nvSpPr", "p:nvPr", "p:ph");
  if (other === undefined) return false;
  return ph.attrs["idx"] === undefined
    ? other.attrs["type"] === ph.attrs["type"]
    : other.attrs["idx"] === ph.attrs["idx"];
}

function readBody(body: XmlNode, parent: XmlNode | undefined): SeenText {
  const pr = at(body, "a:bodyPr");
  const inset = (name: string, fallback: number): number =>
    Number(pr?.attrs[name] ?? at(parent, "a:bodyPr")?.attrs[name] ?? fallback) / EMU;
  const anchor = pr?.attrs["anchor"] ?? at(parent, "a:bodyPr")?.attrs["anchor"] ?? "t";
  const defaults = [body, parent].map((b) => at(b, "a:lstStyle", "a:lvl1pPr", "a:defRPr"));
  const runs = (p: XmlNode): readonly SeenRun[] =>
    p.children
      .filter((child) => child.name === "a:r" || child.name === "a:fld")
      .map((run) => {
        const look = [at(run, "a:rPr"), ...defaults];
        const size = look.map((l) => l?.attrs["sz"]).find((v) => v !== undefined);
        const color = look
          .map((l) => at(l, "a:solidFill", "a:srgbClr")?.attrs["val"])
          .find((v) => v !== undefined);
        return {
          text: at(run, "a:t")?.text ?? "",
          bold: look.some((l) => l?.attrs["b"] === "1"),
          raised: Number(at(run, "a:rPr")?.attrs["baseline"] ?? 0) > 0,
          ...(size === undefined ? {} : { size: Number(size) / 100 }),
          ...(color === undefined ? {} : { color: color.toUpperCase() }),
        };
      });
  return {
    paragraphs: childrenOf(body, "a:p").map(runs),
    valign: anchor === "ctr" ? "middle" : anchor === "b" ? "bottom" : "top",
    insets: {
      l: inset("lIns", 91_440),
      t: inset("tIns", 45_720),
      r: inset("rIns", 91_440),
      b: inset("bIns", 45_720),
    },
    autofit:
      at(pr, "a:normAutofit") !== undefined ||
      at(pr, "a:spAutoFit") !== undefined ||
      pr?.attrs["wrap"] === "none",
  };
}

function readBox(xfrm: XmlNode | undefined): Box | undefined {
  const off = at(xfrm, "a:off");
  const ext = at(xfrm, "a:ext");
  if (off === undefined || ext === undefined) return undefined;
  const inch = (v: string | undefined): number => Number(v ?? 0) / EMU;
  return {
    x: inch(off.attrs["x"]),
    y: inch(off.attrs["y"]),
    w: inch(ext.attrs["cx"]),
    h: inch(ext.attrs["cy"]),
  };
}

function nameOf(node: XmlNode): string {
  return findAll(node, "p:cNvPr")[0]?.attrs["name"] ?? "shape";
}
