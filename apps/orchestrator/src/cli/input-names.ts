import { InputError, nearestNames } from "@troupe/core";
import type { InputField } from "@troupe/stream";

import { checkField } from "./fill-form.ts";

/**
 * Throws an `InputError` when a name of `--input` is none of these fields, or its value does not fit:
 * before anything is sent.
 */
export function checkInputs(given: ReadonlyMap<string, string>, fields: readonly InputField[]): void {
  for (const [name, value] of given) {
    const named = fields.filter((field) => field.field_name === name);
    if (named.length === 0) throw new InputError("input.invalid", unknownName(name, fields));
    for (const field of named) {
      // A person who gives a flag knows the field by its name.
      const checked = checkField({ ...field, field_label: "" }, value);
      if (!checked.ok) throw new InputError("input.invalid", `--input ${checked.issues.join(" ")}`);
    }
  }
}

function unknownName(name: string, fields: readonly InputField[]): string {
  const known = [...new Set(fields.map((field) => field.field_name))];
  if (known.length === 0) return `--input "${name}" is not asked for: no values are.`;
  const ordered = new Set([...nearestNames(name, known), ...known]);
  return `--input "${name}" is not asked for. What is, nearest first: ${[...ordered].join(", ")}.`;
}
