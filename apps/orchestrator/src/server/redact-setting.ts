import { jsonSetting, setting } from "@troupe/service";
import { E_MAIL, LONG_NUMBER, redactPatterns, type Redact } from "@troupe/workflow";
import { z } from "zod";

/** What needs no pattern of one's own, by the mark that stands in its place. */
const READY: ReadonlyMap<string, RegExp> = new Map([
  ["e-mail", E_MAIL],
  ["number", LONG_NUMBER],
]);

const patternsSchema = z
  .record(z.string().min(1), z.union([z.literal(true), z.string().min(1)]))
  .superRefine((given, context) => {
    for (const [mark, finds] of Object.entries(given)) {
      const message = problemOf(mark, finds);
      if (message !== undefined) context.addIssue({ code: "custom", message, path: [mark] });
    }
  });

export const redactSetting = setting(jsonSetting(patternsSchema).optional(), {
  env: "TROUPE_REDACT",
  description:
    'JSON object of what no agent is sent, such as {"e-mail":true,"number":true,"customer":"K-[0-9]{6}"}; true is a pattern that is there, a text a regular expression',
});

/** Nothing is changed where nothing is set. */
export function redactOf(given: z.output<typeof patternsSchema> | undefined): { readonly redact?: Redact } {
  if (given === undefined) return {};
  const patterns = Object.entries(given).flatMap(([mark, finds]) => {
    const pattern = finds === true ? READY.get(mark) : new RegExp(finds, "gu");
    return pattern === undefined ? [] : [[mark, pattern] as const];
  });
  return { redact: redactPatterns(Object.fromEntries(patterns)) };
}

function problemOf(mark: string, finds: true | string): string | undefined {
  if (finds === true)
    return READY.has(mark)
      ? undefined
      : `true stands for ${[...READY.keys()].join(" and ")} only; give "${mark}" a regular expression`;
  try {
    return void new RegExp(finds, "gu");
  } catch {
    return `"${finds}" is no regular expression`;
  }
}
