import { clip } from "@troupe/core";
import type { Json } from "@troupe/stream";

import { CHOICES } from "./choices.ts";
import { anything, isList, isObject, SchemaError, type Keywords } from "./keyword.ts";
import { LISTS } from "./lists.ts";
import { OBJECTS } from "./objects.ts";
import { SCALARS } from "./scalars.ts";
import { Walk, type Check } from "./walk.ts";

/** How large a schema may be. */
export interface SchemaLimits {
  /** Entries of all its `anyOf` and `oneOf` together. */
  readonly alternatives: number;
  /** Schemas in each other. */
  readonly depth: number;
}

/** What says something about a value. Other words, as `title`, are for whoever reads the schema. */
const KEYWORDS: Keywords = { ...CHOICES, ...LISTS, ...OBJECTS, ...SCALARS };

/**
 * What says something too and is not supported. A pattern can keep the process busy for minutes over a few
 * characters, references may lead anywhere.
 */
const REFUSED: ReadonlySet<string> = new Set([
  "pattern",
  "patternProperties",
  "$ref",
  "$dynamicRef",
  "if",
  "then",
  "else",
  "dependentRequired",
  "dependentSchemas",
  "unevaluatedItems",
  "unevaluatedProperties",
]);

/**
 * Makes a JSON Schema into what tells the problems of a value, none when it fits. That takes a bounded amount
 * of work, however large the value. Throws a `SchemaError`.
 */
export function compileSchema(schema: Json, limits: SchemaLimits): (value: Json) => readonly string[] {
  let alternatives = 0;
  const compile = (part: Json, depth: number): Check => {
    if (part === true) return anything;
    if (part === false) return (_value, walk) => walk.wrong(() => "must not be there");
    if (!isObject(part))
      throw new SchemaError(`cannot be used: ${clip(JSON.stringify(part), 40)} is no schema`);
    if (depth > limits.depth)
      throw new SchemaError(`is nested more than ${limits.depth} levels deep; describe the answer with less`);
    const checks = Object.entries(part).flatMap(([name, operand]) => {
      if (REFUSED.has(name))
        throw new SchemaError(`has "${name}", which is not supported; describe the answer without it`);
      if ((name === "anyOf" || name === "oneOf") && isList(operand)) alternatives += operand.length;
      if (alternatives > limits.alternatives)
        throw new SchemaError(
          `has more than ${limits.alternatives} alternatives in anyOf and oneOf; use fewer, or enum for plain values`,
        );
      const keyword = Object.hasOwn(KEYWORDS, name) ? KEYWORDS[name] : undefined;
      return keyword === undefined
        ? []
        : [keyword(operand, { name, schema: part, check: (inner) => compile(inner, depth + 1) })];
    });
    return (value, walk) => checks.every((one) => one(value, walk));
  };
  const check = compile(schema, 1);
  return (value) => {
    const walk = new Walk();
    check(value, walk);
    return walk.issues;
  };
}
