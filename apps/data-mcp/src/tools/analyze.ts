import { analyze, describeProfile, profileTables } from "@troupe/analytics";
import { defineTool, InputError, type Tool } from "@troupe/core";
import { z } from "zod";

import type { Sources } from "../sources/sources.ts";
import { collectionArgument, resultArgument } from "./arguments.ts";
import { lostResult } from "./lost-result.ts";
import { plainText } from "./plain-text.ts";

/** A series has two ends. */
const MAX_PARTIAL = 2;

const profileOutput = z.object({
  of: z.string(),
  rows: z.number(),
  findings: z.array(
    z.object({
      kind: z.string(),
      text: z.string(),
      values: z.record(z.string(), z.union([z.string(), z.number(), z.null()])),
    }),
  ),
});

export function analyzeTool(sources: Sources): Tool {
  return defineTool({
    name: "analyze",
    annotations: { title: "Analyze data", readOnly: true, destructive: false, openWorld: false },
    output: { data: profileOutput, tables: true },
    description:
      "Computes findings (trend, last year against the one before, highest and lowest, shares, biggest movers) and statistics of a result or a table. Copy its figures as they are.",
    input: z.strictObject({
      result_id: resultArgument.optional(),
      table: z.string().max(200).optional().describe("Instead of a result"),
      partial: z
        .array(z.string().max(40))
        .max(MAX_PARTIAL)
        .optional()
        .describe("First days of periods that are not whole, which no finding compares"),
      collection: collectionArgument,
    }),
    idempotent: true,
    async execute({ result_id, table, partial, collection }, context) {
      const { collectionId, signal } = context;
      if ((result_id === undefined) === (table === undefined)) {
        throw new InputError(
          "input.invalid",
          'result_id: give a result_id or a table, such as table: "sales", not both.',
        );
      }
      const found = result_id === undefined ? undefined : await sources.findResult(context, result_id);
      if (result_id !== undefined && found === undefined) throw lostResult(result_id);
      const target = result_id === undefined ? { table: table ?? "" } : { resultId: result_id };
      const profile = await sources.use(context, found?.collection ?? collection ?? collectionId, (source) =>
        analyze(source, target, { signal, ...(partial === undefined ? {} : { partial }) }),
      );
      const from = found && { query: found.sql, ...(found.source === "" ? {} : { source: found.source }) };
      return {
        text: plainText(describeProfile(profile)),
        summary: plainText(profile.findings[0]?.text ?? "") || `${profile.rows} rows analysed`,
        tables: profileTables(profile).map((one) => ({ ...one, ...from })),
        data: {
          of: profile.of,
          rows: profile.rows,
          findings: profile.findings.map(({ kind, text, values }) => ({ kind, text, values: { ...values } })),
        },
      };
    },
  });
}
