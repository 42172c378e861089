import { questionToSql } from "@troupe/analytics";
import { defineTool, type Tool } from "@troupe/core";
import { z } from "zod";

import type { Sources } from "../sources/sources.ts";
import { collectionArgument } from "./arguments.ts";

/** Statements that fixed rules find for a question. For callers without a model, or as a first draft. */
export function suggestQueries(sources: Sources): Tool {
  return defineTool({
    name: "suggest_queries",
    description:
      "Proposes up to four SELECT statements for a question by fixed rules over column names. It understands nothing: " +
      "a first draft for simple questions such as revenue by quarter. Returns a JSON list of {title, sql, note}.",
    input: z.strictObject({
      question: z.string().min(1).max(20_000),
      collection: collectionArgument,
    }),
    idempotent: true,
    async execute({ question, collection }, { collectionId }) {
      const source = await sources.get(collection ?? collectionId);
      const found = questionToSql(question, await source.schema());
      const suggestions = found.map(({ title, sql, note }) => ({ title, sql, note: note ?? "" }));
      return {
        text: JSON.stringify(suggestions),
        summary:
          suggestions.length === 0
            ? "no statement fits the question"
            : suggestions.map((suggestion) => suggestion.title).join(", "),
      };
    },
  });
}
