/**
 * The schema, step by step; a released step never changes. The number of steps is the file's version.
 *
 * `chunk_index` holds no text of its own: a chunk's text is a slice of its page.
 */
export const MIGRATIONS: readonly string[] = [
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
];
