import { defineTool, type Tool } from "@troupe/core";
import {
  chapterQuery,
  keyStatements,
  keyTable,
  type KeyTable,
  type Retriever,
  type SearchHit,
  type Statement,
} from "@troupe/retrieval";
import { z } from "zod";

import { count, inline } from "./present.ts";

/** Passages looked through for statements. */
const POOL = 40;

/** Picks the sentences that say most about a subject. No model involved. */
export function summarize(index: Retriever): Tool {
  return defineTool({
    name: "summarize",
    description:
      "Collects the sentences that say most about a subject from the ingested documents, word for word, each with its id in square " +
      "brackets, and a table where the documents have one. Editions that were replaced are left out. Use it for the key facts of a topic, one call for each side of it, such as " +
      "aspect: goals, budget, risks.",
    input: z.object({
      subject: z
        .string()
        .trim()
        .min(1)
        .max(2_000)
        .describe("What it is about, such as AI strategy; or a question"),
      aspect: z
        .string()
        .trim()
        .min(1)
        .max(300)
        .optional()
        .describe("One side of the subject, in words a heading would use"),
      collection: z.string().min(1).optional().describe("Only this collection; all when left out"),
      max_sentences: z.number().int().min(1).max(20).default(5),
    }),
    idempotent: true,
    async execute({ subject, aspect, collection, max_sentences }, context) {
      const wanted = collection ?? context.collectionId;
      const query = aspect === undefined ? subject : `${subject} ${aspect}`;
      const options = { limit: POOL, ...(wanted === undefined ? {} : { collection: wanted }) };
      const found = await index.search(query, options);
      const chapter = aspect === undefined ? undefined : chapterQuery(found.hits, subject, aspect);
      const more = chapter === undefined ? [] : (await index.search(chapter, options)).hits;
      const hits = distinct([...found.hits, ...more]);
      const statements = keyStatements(hits, subject, {
        max: max_sentences,
        ...(aspect === undefined ? {} : { aspect }),
      });
      if (statements.length === 0) {
        return {
          text: "No sentence of these documents says anything about that.",
          summary: "nothing relevant",
        };
      }
      const table = aspect === undefined ? undefined : keyTable(hits, subject, aspect);
      const documents = new Set(statements.map(({ citation }) => citation.source)).size;
      return {
        text: [statements.map(line).join("\n"), ...(table === undefined ? [] : [tableText(table)])].join(
          "\n\n",
        ),
        summary: `${count(statements.length, "statement")} from ${count(documents, "document")}`,
        citations: [...statements, ...(table === undefined ? [] : [table])].map(({ citation }) => citation),
      };
    },
  });
}

/** A heading that says it in short comes first. Brackets and asterisks of the document are not ours. */
function line({ text, lead, citation }: Statement): string {
  const said = inline(text).replaceAll("*", "");
  return lead === undefined
    ? `- ${said} [${citation.id}]`
    : `- **${inline(lead).replaceAll("*", "")}.** ${said} [${citation.id}]`;
}

/** As Markdown, the source in a line of its own. */
function tableText({ columns, rows, citation }: KeyTable): string {
  const row = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => inline(cell).replaceAll("|", "/").replaceAll("*", "")).join(" | ")} |`;
  return [row(columns), row(columns.map(() => "---")), ...rows.map(row), `Table from [${citation.id}]`].join(
    "\n",
  );
}

function distinct(hits: readonly SearchHit[]): readonly SearchHit[] {
  return [...new Map(hits.map((hit) => [hit.citation.chunkId, hit])).values()];
}
