import type { Prompts } from "@troupe/a2a/conformance";
import { InputError } from "@troupe/core/errors";

const NAMES: readonly (keyof Prompts)[] = ["plain", "long", "ask", "authorize"];

/** Reads `name=text`, as often as it was given. Throws an `InputError` for a name that is none. */
export function promptsOf(given: readonly string[]): Partial<Prompts> {
  const prompts: { -readonly [name in keyof Prompts]?: string } = {};
  for (const pair of given) {
    const equals = pair.indexOf("=");
    const name = NAMES.find((known) => known === pair.slice(0, Math.max(0, equals)));
    if (name === undefined)
      throw new InputError(
        "input.invalid",
        `--prompt "${pair}" is not of the form name=text, with ${NAMES.join(", ")}.`,
      );
    prompts[name] = pair.slice(equals + 1);
  }
  return prompts;
}
