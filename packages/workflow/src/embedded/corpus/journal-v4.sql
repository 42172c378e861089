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
  id TEXT PRIMARY KEY, name TEXT NOT NULL, objective TEXT NOT NULL, created_at INTEGER NOT NULL, user_id TEXT,
  thread_id TEXT
) STRICT;
CREATE INDEX run_index_created ON run_index (created_at);
CREATE INDEX run_index_thread ON run_index (thread_id, created_at) WHERE thread_id IS NOT NULL;
CREATE TABLE event (
  run TEXT NOT NULL, position INTEGER NOT NULL, key TEXT NOT NULL, type TEXT NOT NULL,
  at INTEGER NOT NULL, body TEXT NOT NULL, PRIMARY KEY (run, position)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX event_key ON event (run, key);
CREATE INDEX event_folded ON event (run, position)
  WHERE type IN ('plan-update', 'step-status', 'input-required', 'finish');
CREATE TABLE forgotten (run TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
CREATE INDEX run_ended ON run (ended_at) WHERE ended_at IS NOT NULL;
INSERT INTO run VALUES ('nobodys', '{}', '{"objective":"x"}', 1, NULL, NULL);
INSERT INTO run VALUES ('of-ann', '{}', '{"objective":"y","userId":"ann"}', 2, NULL, NULL);
INSERT INTO run_index VALUES ('of-ann', 'Ann''s', 'y', 1, 'ann', 'talk');
INSERT INTO run_index VALUES ('nobodys', 'One', 'x', 2, NULL, NULL);
INSERT INTO journal VALUES ('nobodys', 0, 'first', '{"ok":true,"value":1}');
INSERT INTO journal VALUES ('of-ann', 0, 'first', '{"ok":true,"value":1}');
INSERT INTO journal VALUES ('of-ann', 1, 'second', '{"ok":true,"value":"x"}');
INSERT INTO timer VALUES ('of-ann', 'wait', 7);
INSERT INTO event VALUES ('before-its-run', 0, 'k', 'text-delta', 5, '{"type":"text-delta","delta":"?"}');
INSERT INTO event VALUES ('of-ann', 0, 'one', 'text-delta', 5, '{"type":"text-delta","delta":"a"}');
INSERT INTO event VALUES ('of-ann', 1, 'two', 'text-delta', 6, '{"type":"text-delta","delta":"b"}');
PRAGMA user_version=4;
