import type { AppManifest } from "../supervisor/discover.ts";
import type { CallTool } from "./call-app.ts";
import { listWith } from "./collections.ts";
import { contentsOf } from "./contents.ts";

/** What a server was given, as it reported it: a file that could not be read is still there. */
export interface Present {
  readonly documentIds: ReadonlySet<string>;
  readonly sources: ReadonlySet<string>;
  readonly tables: ReadonlySet<string>;
}

export interface Forgotten {
  /** One a document or table that stands in no folder any more. */
  readonly lines: readonly string[];
  /** How many could not be forgotten. */
  readonly kept: number;
}

/** Forgets what a collection holds beyond what is present. A server without a tool for it keeps its own; each is told. */
export async function forgetGone(
  call: CallTool,
  ingest: NonNullable<AppManifest["ingest"]>,
  collection: string,
  present: Present,
): Promise<Forgotten> {
  const { list, contents, forget } = ingest;
  if (list === undefined || contents === undefined) return { lines: [], kept: 0 };
  if (!(await listWith(call, list)).some(({ name }) => name === collection)) return { lines: [], kept: 0 };
  const { documents, tables } = await contentsOf(call, contents, collection);
  const lines: string[] = [];
  let kept = 0;
  for (const { documentId, source } of documents) {
    if (present.documentIds.has(documentId) || present.sources.has(source)) continue;
    const done = forget === undefined ? undefined : await call(forget, { document_id: documentId });
    const gone = done !== undefined && done.isError !== true;
    if (!gone) kept++;
    lines.push(gone ? `- forgotten: ${source}` : `- still there: ${source}`);
  }
  for (const { name, source } of tables) {
    if (present.tables.has(name) || present.sources.has(source)) continue;
    kept++;
    lines.push(
      `- still there: ${source} -> ${name}: a table cannot be forgotten by itself; take the data into a new collection`,
    );
  }
  return { lines, kept };
}
