/** Nodes that a value stands in as it is. */
const CARRIERS = new Set([
  "ArrayExpression",
  "ConditionalExpression",
  "LogicalExpression",
  "ObjectExpression",
  "Property",
  "SpreadElement",
  "TSAsExpression",
  "TSNonNullExpression",
  "TSSatisfiesExpression",
]);

/** In `toMatchObject` a regular expression is compared property by property, of which it has none: it matches anything. */
const patternInMatchObject = {
  create: (context) => ({
    Literal(node) {
      if (!("regex" in node)) return;
      let value = node;
      while (CARRIERS.has(value.parent.type)) value = value.parent;
      const call = value.parent;
      if (call.type !== "CallExpression" || call.callee.property?.name !== "toMatchObject") return;
      const message = `${node.raw} matches anything in toMatchObject: write expect.stringMatching(${node.raw}).`;
      context.report({ node, message });
    },
  }),
};

/** It keeps alive all that it sees: docs/decisions/0016-what-is-over-dies-young.md. */
const getterInLiteral = {
  create: (context) => ({
    Property(node) {
      if (node.kind !== "get" && node.kind !== "set") return;
      const message = `${node.key.name ?? "A value"} is computed in a literal, which keeps all it sees alive for long: write a method, or a class.`;
      context.report({ node, message });
    },
  }),
};

export default {
  meta: { name: "troupe" },
  rules: { "no-getter-in-literal": getterInLiteral, "no-pattern-in-match-object": patternInMatchObject },
};
