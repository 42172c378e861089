import type { Parts } from "../write/zip.ts";
import type { LintProblem } from "./problem.ts";
import { childrenOf, parseXml, type XmlNode } from "./xml-node.ts";

/** Parsed parts and what is wrong with the package itself. */
export interface CheckedPackage {
  readonly nodes: ReadonlyMap<string, XmlNode>;
  readonly problems: readonly LintProblem[];
}

/** Every part is well-formed, typed and reached by a relation; every relation and type names a part. */
export function checkPackage(parts: Parts): CheckedPackage {
  const nodes = new Map<string, XmlNode>();
  const problems: LintProblem[] = [];
  const dangling = (message: string): void => void problems.push({ rule: "dangling-part", message });
  for (const [name, data] of parts) {
    if (typeof data !== "string") continue;
    try {
      nodes.set(name, parseXml(data));
    } catch (error) {
      problems.push({
        rule: "malformed-part",
        message: `"${name}" is not well-formed XML: ${String(error).split("\n")[0]}`,
      });
    }
  }

  const reached = new Set<string>(["[Content_Types].xml"]);
  for (const [name, node] of nodes) {
    if (!name.endsWith(".rels")) continue;
    reached.add(name);
    for (const { target, external } of relationsOf(node)) {
      if (external) continue;
      const part = resolve(name, target);
      reached.add(part);
      if (!parts.has(part)) dangling(`"${name}" points to "${part}", which is not in the file.`);
    }
  }
  for (const name of parts.keys()) if (!reached.has(name)) dangling(`Nothing points to the part "${name}".`);

  const types = nodes.get("[Content_Types].xml");
  const defaults = new Set(childrenOf(types, "Default").map((d) => d.attrs["Extension"]?.toLowerCase()));
  const overrides = new Set(
    childrenOf(types, "Override").map((o) => o.attrs["PartName"]?.replace(/^\//, "")),
  );
  for (const part of overrides)
    if (part !== undefined && !parts.has(part))
      dangling(`The content types name "${part}", which is not in the file.`);
  for (const name of parts.keys()) {
    const typed = overrides.has(name) || defaults.has(name.slice(name.lastIndexOf(".") + 1).toLowerCase());
    if (!typed && name !== "[Content_Types].xml") dangling(`"${name}" has no content type.`);
  }
  return { nodes, problems };
}

export interface Relation {
  readonly id: string;
  readonly type: string;
  readonly target: string;
  readonly external: boolean;
}

export function relationsOf(node: XmlNode | undefined): readonly Relation[] {
  return childrenOf(node, "Relationship").map(({ attrs }) => ({
    id: attrs["Id"] ?? "",
    type: attrs["Type"] ?? "",
    target: attrs["Target"] ?? "",
    external: attrs["TargetMode"] === "External",
  }));
}

/** The part a relation in `rels` points to. */
export function resolve(rels: string, target: string): string {
  if (target.startsWith("/")) return target.slice(1);
  const folder = rels.replace(/_rels\/[^/]*$/, "");
  const out: string[] = [];
  for (const step of `${folder}${target}`.split("/")) {
    if (step === "..") out.pop();
    else if (step !== "." && step !== "") out.push(step);
  }
  return out.join("/");
}
