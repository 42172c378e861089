import { suggestStatements } from "@troupe/analytics";
import { defineTool, type Tool } from "@troupe/core";
import type { Clock } from "@troupe/stream";
import { z } from "zod";

import type { Sources } from "../sources/sources.ts";
import { collectionArgument } from "./arguments.ts";

/** Statements that fixed rules find for a question. For callers without a model, or as a first draft. */
export function suggestQueries(sources: Sources, clock: Clock): Tool {
  return defineTool({
    name: "suggest_queries",
    annotations: { title: "Suggest queries", readOnly: true, destructive: false, openWorld: false },
    output: {},
    description:
      "Proposes up to four SELECT statements for a question by fixed rules over column names and the values in them. It understands nothing: " +
      "a first draft for simple questions such as revenue of a product by quarter. Returns JSON: {statements: [{title, sql, note, partial, rows}], unused, notes}. " +
      "unused lists what the question says and no statement does; tell it. partial goes to analyze.",
    input: z.strictObject({
      question: z.string().min(1).max(20_000),
      collection: collectionArgument,
    }),
    idempotent: true,
    async execute({ question, collection }, context) {
      const { collectionId, signal } = context;
      const today = new Date(clock.now()).toISOString().slice(0, 10);
      const suggestions = await sources.use(context, collection ?? collectionId, (source) =>
        suggestStatements(source, question, { signal, today }),
      );
      return {
        text: JSON.stringify(suggestions),
        summary:
          suggestions.statements.map(({ title }) => title).join(", ") ||
          suggestions.unused[0] ||
          "no statement fits the question",
      };
    },
  });
}
