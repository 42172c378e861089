import type { DatabaseSync } from "node:sqlite";

import { sectionAt } from "../chunk/sections.ts";
import { indexText } from "../text/words.ts";
import { pageWriter } from "./page-blocks.ts";
import { text, toSections } from "./rows.ts";

/**
 * The schema, step by step; a released step never changes. The number of steps is the file's version.
 *
 * `chunk_index` holds no text of its own: a chunk's text is a slice of its page, whose text is in `page_blocks`.
 */
export const MIGRATIONS: readonly (string | ((db: DatabaseSync) => void))[] = [
  `
CREATE TABLE documents (
  id INTEGER PRIMARY KEY,
  document_id TEXT NOT NULL UNIQUE,
  collection TEXT NOT NULL,
  source TEXT NOT NULL,
  origin TEXT NOT NULL,
  title TEXT NOT NULL,
  media_type TEXT NOT NULL,
  sha256 TEXT NOT NULL,
  pipeline INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  paged INTEGER NOT NULL,
  pages INTEGER NOT NULL,
  passages INTEGER NOT NULL,
  published TEXT,
  version TEXT,
  family TEXT NOT NULL,
  supersedes TEXT NOT NULL,
  withdrawn INTEGER NOT NULL,
  ingested_at INTEGER NOT NULL,
  UNIQUE (collection, source)
) STRICT;
CREATE INDEX documents_family ON documents (collection, family);
CREATE INDEX documents_superseding ON documents (collection) WHERE supersedes <> '[]';
CREATE TABLE pages (
  document INTEGER NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
  page INTEGER NOT NULL,
  label TEXT,
  text TEXT NOT NULL,
  sections TEXT NOT NULL,
  PRIMARY KEY (document, page)
) STRICT, WITHOUT ROWID;
CREATE TABLE chunks (
  id INTEGER PRIMARY KEY,
  chunk_id TEXT NOT NULL UNIQUE,
  document INTEGER NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
  page INTEGER NOT NULL,
  start_offset INTEGER NOT NULL,
  end_offset INTEGER NOT NULL
) STRICT;
CREATE INDEX chunks_document ON chunks (document);
CREATE VIRTUAL TABLE chunk_index USING fts5 (
  title, section, body,
  content = '', contentless_delete = 1, tokenize = 'porter unicode61 remove_diacritics 2'
);
`,
  indexAllScripts,
  splitPages,
];

/** Files of version 1 have texts in Chinese, Japanese, Thai and other scripts in the index as one long word a line. */
function indexAllScripts(db: DatabaseSync): void {
  const pageOf = db.prepare(
    "SELECT d.title, p.text, p.sections FROM pages p JOIN documents d ON d.id = p.document WHERE p.document = ? AND p.page = ?",
  );
  const chunksOf = db.prepare(
    "SELECT id, start_offset, end_offset FROM chunks WHERE document = ? AND page = ?",
  );
  const replace = db.prepare(
    "INSERT OR REPLACE INTO chunk_index (rowid, title, section, body) VALUES (?, ?, ?, ?)",
  );
  for (const { document, page } of db.prepare("SELECT document, page FROM pages").all()) {
    const row = pageOf.get(Number(document), Number(page)) ?? {};
    const marks = toSections(row);
    const parts = [text(row, "title"), text(row, "text"), ...marks.flatMap(({ path }) => path)];
    if (parts.every((part) => indexText(part) === part)) continue;
    for (const chunk of chunksOf.all(Number(document), Number(page))) {
      const start = Number(chunk["start_offset"]);
      const end = Number(chunk["end_offset"]);
      const section = sectionAt(marks, Math.floor((start + end) / 2)).join(" / ");
      const body = text(row, "text").slice(start, end);
      replace.run(Number(chunk["id"]), indexText(text(row, "title")), indexText(section), indexText(body));
    }
  }
}

function splitPages(db: DatabaseSync): void {
  db.exec(`CREATE TABLE page_blocks (
    document INTEGER NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
    page INTEGER NOT NULL,
    start_offset INTEGER NOT NULL,
    text TEXT NOT NULL,
    sections TEXT NOT NULL,
    PRIMARY KEY (document, page, start_offset)
  ) STRICT, WITHOUT ROWID`);
  const write = pageWriter(db);
  const pageOf = db.prepare("SELECT text, sections FROM pages WHERE document = ? AND page = ?");
  for (const { document, page } of db.prepare("SELECT document, page FROM pages").all()) {
    const row = pageOf.get(Number(document), Number(page)) ?? {};
    write(Number(document), Number(page), text(row, "text"), toSections(row));
  }
  db.exec("ALTER TABLE pages DROP COLUMN text; ALTER TABLE pages DROP COLUMN sections;");
}
