CREATE TABLE run (
  id TEXT PRIMARY KEY, spec TEXT NOT NULL, input TEXT NOT NULL,
  created_at INTEGER NOT NULL, outcome TEXT, ended_at INTEGER
) STRICT;
CREATE INDEX run_open ON run (created_at) WHERE outcome IS NULL;
CREATE TABLE journal (
  run TEXT NOT NULL, seq INTEGER NOT NULL, name TEXT NOT NULL, value TEXT NOT NULL,
  PRIMARY KEY (run, seq)
) STRICT, WITHOUT ROWID;
CREATE TABLE signal (
  run TEXT NOT NULL, name TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (run, name)
) STRICT, WITHOUT ROWID;
CREATE TABLE signal_answer (
  run TEXT NOT NULL, key TEXT NOT NULL, answer TEXT NOT NULL, PRIMARY KEY (run, key)
) STRICT, WITHOUT ROWID;
CREATE TABLE timer (
  run TEXT NOT NULL, name TEXT NOT NULL, due INTEGER NOT NULL, PRIMARY KEY (run, name)
) STRICT, WITHOUT ROWID;
CREATE TABLE run_index (
  id TEXT PRIMARY KEY, name TEXT NOT NULL, objective TEXT NOT NULL, created_at INTEGER NOT NULL, user_id TEXT
) STRICT;
CREATE INDEX run_index_created ON run_index (created_at);
CREATE TABLE event (
  run TEXT NOT NULL, position INTEGER NOT NULL, key TEXT NOT NULL, type TEXT NOT NULL,
  at INTEGER NOT NULL, body TEXT NOT NULL, PRIMARY KEY (run, position)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX event_key ON event (run, key);
CREATE INDEX event_folded ON event (run, position)
  WHERE type IN ('plan-update', 'step-status', 'input-required', 'finish');
INSERT INTO run VALUES ('nobodys', '{}', '{"objective":"x"}', 1, NULL, NULL);
INSERT INTO run VALUES ('of-ann', '{}', '{"objective":"y","userId":"ann"}', 2, NULL, NULL);
INSERT INTO run_index VALUES ('of-ann', 'Ann''s', 'y', 1, 'ann');
INSERT INTO run_index VALUES ('nobodys', 'One', 'x', 2, NULL);
PRAGMA user_version=2;
