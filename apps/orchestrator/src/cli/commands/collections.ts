import { isTroupeError, ToolError } from "@troupe/core";
import { readCollectionRules, type CollectionRule } from "@troupe/service";

import type { CallTool } from "../call-app.ts";
import type { CliContext } from "../context.ts";
import { askServers, listWith } from "../collections.ts";
import { contentsOf, type TableEntry } from "../contents.ts";
import { EXIT } from "../exit-codes.ts";
import { harmless } from "../render/harmless.ts";
import { typed } from "../typed.ts";
import { describeRule } from "./share-collection.ts";

interface Shown {
  readonly name: string;
  readonly documents: number;
  readonly passages: number;
  readonly tables: readonly TableEntry[];
  /** Why its tables cannot be listed. */
  readonly problem?: string;
  readonly owner?: string;
  readonly readers?: CollectionRule["readers"];
}

/** What was taken in: each collection with its documents and tables. Works with and without running servers.
 * One that cannot be read is named with the reason, and the rest is listed; the exit code is 1 then. */
export async function collections(context: CliContext, options: { readonly json: boolean }): Promise<number> {
  const all = new Map<string, Shown>();
  const answers = await askServers(context, async (call, { list, contents }) => {
    const shown: Shown[] = [];
    for (const entry of await listWith(call, list)) {
      // Documents are counted in the list; of tables only their contents tell.
      const counted = contents === undefined || entry.documents > 0;
      shown.push({ ...entry, ...(counted ? { tables: [] } : await tablesOf(call, contents, entry.name)) });
    }
    return shown;
  });
  const problems: string[] = [];
  for (const answer of answers) {
    if (answer.status === "rejected") {
      if (!isTroupeError(answer.reason)) throw answer.reason;
      problems.push(answer.reason.message);
    } else for (const one of answer.value) all.set(one.name, join(all.get(one.name), one));
  }
  // Nothing is known of any.
  if (all.size === 0 && problems.length > 0) throw new ToolError("tool.failed", problems.join(" "));
  const rules = readCollectionRules(context.home);
  const sorted = [...all.values()]
    .map((one): Shown => ({ ...one, ...rules.get(one.name) }))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
  if (options.json) context.out(`${JSON.stringify(sorted)}\n`);
  else if (sorted.length === 0)
    context.out(
      `There are no collections yet. To add one, run \`${typed(context, "ingest PATHS --collection NAME")}\`.\n`,
    );
  else for (const one of sorted) context.out(harmless(text(one)));
  problems.push(
    ...sorted.flatMap(({ name, problem }) => (problem === undefined ? [] : [`${name}: ${problem}`])),
  );
  for (const problem of problems) context.err(harmless(`Cannot be read: ${problem}\n`));
  return problems.length === 0 ? EXIT.completed : EXIT.failed;
}

/** A damaged collection must not hide the others. */
async function tablesOf(
  call: CallTool,
  tool: string,
  collection: string,
): Promise<Pick<Shown, "tables" | "problem">> {
  try {
    return { tables: (await contentsOf(call, tool, collection)).tables };
  } catch (error) {
    if (!isTroupeError(error)) throw error;
    return { tables: [], problem: error.message };
  }
}

function join(before: Shown | undefined, one: Shown): Shown {
  if (before === undefined) return one;
  const problem = before.problem ?? one.problem;
  return {
    name: one.name,
    documents: before.documents + one.documents,
    passages: before.passages + one.passages,
    tables: [...before.tables, ...one.tables],
    ...(problem === undefined ? {} : { problem }),
  };
}

function text({ name, documents, passages, tables, problem, owner, readers = [] }: Shown): string {
  const empty = problem === undefined ? "empty" : "cannot be read";
  const counts = [
    ...(documents === 0 ? [] : [`${count(documents, "document")} (${count(passages, "passage")})`]),
    ...(tables.length === 0 ? [] : [count(tables.length, "table")]),
  ];
  const lines = tables.map(
    (table) => `    ${table.name}: ${count(table.rows, "row")}, ${count(table.columns, "column")}\n`,
  );
  const rule = owner === undefined ? "" : `; ${describeRule({ owner, readers })}`;
  return `${name}: ${counts.join(", ") || empty}${rule}\n${lines.join("")}`;
}

function count(number: number, word: string): string {
  return `${number} ${word}${number === 1 ? "" : "s"}`;
}
