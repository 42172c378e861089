import type { ToolOutput } from "@troupe/core";
import { comparingTable, type Retriever } from "@troupe/retrieval";

import { inline } from "../present.ts";
import { noSentence, NOTHING_FOUND, told } from "./answer.ts";
import { findAnswer } from "./find-answer.ts";
import { bodyText, citationsOf, type Within } from "./lines.ts";

/** Passages looked through for a table. */
const POOL = 50;

/**
 * Two things side by side: the table of a document that sets them against each other, else what the
 * documents say of each. A side that they say nothing of is named.
 */
export async function compare(
  index: Retriever,
  things: readonly [string, string],
  aspect: string | undefined,
  within: Within,
  max: number,
): Promise<ToolOutput> {
  const query = [...things, aspect ?? ""].join(" ");
  const { hits } = await index.search(query, { limit: POOL, ...within });
  const table = comparingTable(hits, things, aspect);
  if (table !== undefined) {
    const [, one = "", other = ""] = table.columns;
    return {
      text: `## ${inline(`${one} and ${other}`)}\n${bodyText([], table)}`,
      summary: "a table of both",
      citations: citationsOf([], table),
    };
  }
  const sides = await Promise.all(things.map((thing) => side(index, thing, aspect, within, max)));
  const said = sides.filter(({ citations }) => citations.length > 0).length;
  const text = sides.map((one) => one.text).join("\n\n");
  const citations = sides.flatMap((one) => one.citations);
  if (said === 0) return { text, summary: NOTHING_FOUND, citations, data: { unanswered: true } };
  return { text, summary: `${said === 2 ? "both sides" : "one side"} found`, citations };
}

async function side(
  index: Retriever,
  thing: string,
  aspect: string | undefined,
  within: Within,
  max: number,
): Promise<Required<Pick<ToolOutput, "text" | "citations">>> {
  const asked = aspect === undefined ? thing : `${aspect} ${thing}`;
  const { answered, found } = await findAnswer(index, asked, within, max);
  const heading = `## ${inline(thing)}`;
  if (answered.statements.length === 0) return { text: `${heading}\n${noSentence(asked)}`, citations: [] };
  const { text, citations = [] } = told(answered, found.corrections);
  return { text: `${heading}\n${text}`, citations };
}
