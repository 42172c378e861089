import { unzip } from "../write/zip.ts";
import { checkPackage, relationsOf, resolve } from "./check-package.ts";
import { checkSlide } from "./check-slide.ts";
import type { LintProblem } from "./problem.ts";
import { readShapes } from "./read-shapes.ts";
import { at, findAll, type XmlNode } from "./xml-node.ts";

const EMU = 914_400;

/**
 * Lints a pptx, whoever wrote it: text that runs over, shapes off the slide or over one another, weak
 * contrast, empty placeholders, small type, too many words, long titles, parts that dangle.
 */
export async function lintDeck(bytes: Uint8Array): Promise<readonly LintProblem[]> {
  const parts = await unzip(bytes).catch((error: unknown) => String(error));
  if (typeof parts === "string")
    return [{ rule: "malformed-part", message: `The file is not a readable pptx: ${parts}` }];
  const { nodes, problems } = checkPackage(parts);
  const presentation = nodes.get("ppt/presentation.xml");
  if (presentation === undefined) {
    return [...problems, { rule: "malformed-part", message: "The file has no ppt/presentation.xml." }];
  }
  const size = at(presentation, "p:sldSz");
  const width = Number(size?.attrs["cx"] ?? 12_192_000) / EMU;
  const height = Number(size?.attrs["cy"] ?? 6_858_000) / EMU;
  const slides = slideParts(presentation, nodes);
  const found = slides.flatMap((name, i) => {
    const slide = nodes.get(name);
    if (slide === undefined) return [];
    const layout = layoutOf(name, nodes);
    const placeholders = findAll(layout, "p:sp").filter((sp) => findAll(sp, "p:ph").length > 0);
    const shapes = [
      ...(layout === undefined ? [] : readShapes(layout, true)),
      ...readShapes(slide, false, { placeholders }),
    ];
    const background = [slide, layout].map(backgroundOf).find((color) => color !== undefined) ?? "FFFFFF";
    return checkSlide({ width, height, background, shapes }, i + 1);
  });
  return [...problems, ...found];
}

/** Slide parts in the order they are shown. */
function slideParts(presentation: XmlNode, nodes: ReadonlyMap<string, XmlNode>): readonly string[] {
  const rels = "ppt/_rels/presentation.xml.rels";
  const targets = new Map(relationsOf(nodes.get(rels)).map((r) => [r.id, resolve(rels, r.target)]));
  return (at(presentation, "p:sldIdLst")?.children ?? []).flatMap((id) => {
    const part = targets.get(id.attrs["r:id"] ?? "");
    return part === undefined ? [] : [part];
  });
}

function layoutOf(slide: string, nodes: ReadonlyMap<string, XmlNode>): XmlNode | undefined {
  const rels = slide.replace(/([^/]+)$/, "_rels/$1.rels");
  const relation = relationsOf(nodes.get(rels)).find((r) => r.type.endsWith("/slideLayout"));
  return relation === undefined ? undefined : nodes.get(resolve(rels, relation.target));
}

function backgroundOf(node: XmlNode | undefined): string | undefined {
  return at(node, "p:cSld", "p:bg", "p:bgPr", "a:solidFill", "a:srgbClr")?.attrs["val"]?.toUpperCase();
}
