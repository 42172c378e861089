import { DOMParser, MIME_TYPE, onErrorStopParsing, type Element as DomElement } from "@xmldom/xmldom";

/** An element with its prefix as written; text of an element is joined. */
export interface XmlNode {
  readonly name: string;
  readonly attrs: { readonly [name: string]: string };
  readonly children: readonly XmlNode[];
  readonly text: string;
}

/** Parses a part. Throws on anything that is not well-formed, and on a document type: none belongs in a deck. */
export function parseXml(xml: string): XmlNode {
  if (xml.includes("<!DOCTYPE")) throw new SyntaxError("a document type is not allowed");
  const document = new DOMParser({ onError: onErrorStopParsing }).parseFromString(xml, MIME_TYPE.XML_TEXT);
  if (document.documentElement === null) throw new SyntaxError("the part has no root element");
  return toNode(document.documentElement);
}

function toNode(element: DomElement): XmlNode {
  const attrs: { [name: string]: string } = {};
  for (const attr of Array.from(element.attributes)) attrs[attr.name] = attr.value;
  const children: XmlNode[] = [];
  let text = "";
  for (let node = element.firstChild; node !== null; node = node.nextSibling) {
    if (node.nodeType === 1) children.push(toNode(node as DomElement));
    else if (node.nodeType === 3 || node.nodeType === 4) text += node.nodeValue ?? "";
  }
  return { name: element.nodeName, attrs, children, text };
}

/** The first element along a path of names below a node. */
export function at(node: XmlNode | undefined, ...path: readonly string[]): XmlNode | undefined {
  return path.reduce<XmlNode | undefined>(
    (here, name) => here?.children.find((child) => child.name === name),
    node,
  );
}

export function childrenOf(node: XmlNode | undefined, name: string): readonly XmlNode[] {
  return (node?.children ?? []).filter((child) => child.name === name);
}

/** Every element of a name at any depth. */
export function findAll(node: XmlNode | undefined, name: string): readonly XmlNode[] {
  if (node === undefined) return [];
  return node.children.flatMap((child) => [...(child.name === name ? [child] : []), ...findAll(child, name)]);
}
