-- A schema as version 3 wrote it. Never changed: later versions have to read it.
CREATE SCHEMA released;
CREATE TABLE released.version (version INTEGER NOT NULL);
INSERT INTO released.version VALUES (1), (2), (3);
CREATE TABLE released.task (
  position BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  owner TEXT COLLATE "C" NOT NULL, id TEXT COLLATE "C" NOT NULL, context TEXT COLLATE "C" NOT NULL,
  state INTEGER NOT NULL, updated_at TEXT COLLATE "C" NOT NULL,
  version INTEGER NOT NULL, body TEXT NOT NULL, bytes INTEGER NOT NULL,
  holder TEXT COLLATE "C", cancel_asked BOOLEAN NOT NULL DEFAULT false,
  settled BIGINT, settled_at BIGINT,
  UNIQUE (owner, id)
);
CREATE SEQUENCE released.settled_order;
CREATE INDEX task_updated ON released.task (owner, updated_at, position);
CREATE INDEX task_of_context ON released.task (owner, context, updated_at, position);
CREATE INDEX task_settled ON released.task (settled) WHERE settled IS NOT NULL;
CREATE INDEX task_unfinished ON released.task (position) WHERE settled IS NULL;
CREATE INDEX task_to_cancel ON released.task (holder) WHERE cancel_asked;
CREATE TABLE released.change (
  task BIGINT NOT NULL, version INTEGER NOT NULL, body TEXT NOT NULL, PRIMARY KEY (task, version)
);
CREATE TABLE released.message (
  owner TEXT COLLATE "C" NOT NULL, id TEXT COLLATE "C" NOT NULL, task BIGINT NOT NULL, PRIMARY KEY (owner, id)
);
CREATE INDEX message_of_task ON released.message (task);
CREATE TABLE released.holder (id TEXT COLLATE "C" PRIMARY KEY, until BIGINT NOT NULL);
CREATE TABLE released.push (
  position BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  task BIGINT NOT NULL REFERENCES released.task ON DELETE CASCADE,
  id TEXT COLLATE "C" NOT NULL, body TEXT NOT NULL, told TEXT NOT NULL, state TEXT NOT NULL,
  UNIQUE (task, id)
);
CREATE INDEX push_open ON released.push (task) WHERE state = 'open';
CREATE SEQUENCE released.suspended_order;
CREATE TABLE released.suspended (
  run TEXT COLLATE "C" PRIMARY KEY, body TEXT NOT NULL,
  position BIGINT NOT NULL DEFAULT nextval('released.suspended_order')
);
CREATE INDEX suspended_by_age ON released.suspended (position);
INSERT INTO released.task (owner, id, context, state, updated_at, version, body, bytes, holder, settled, settled_at) VALUES
  ('ann', 'runs', 'c', 2, '2026-11-21T10:00:02.000Z', 1, '{"id":"runs","contextId":"c","status":{"state":"TASK_STATE_WORKING","timestamp":"2026-11-21T10:00:02.000Z"},"history":[{"messageId":"m1","contextId":"c","taskId":"runs","role":"ROLE_USER","parts":[{"text":"How were sales?"}]}],"metadata":{"urn:troupe:a2a:events:v1":{"v":1,"kind":"events","turn":1,"events":[]}}}', 319, 'gone', NULL, NULL),
  ('ann', 'asks', 'c', 6, '2026-11-21T10:00:01.000Z', 2, '{"id":"asks","contextId":"c","status":{"state":"TASK_STATE_INPUT_REQUIRED","timestamp":"2026-11-21T10:00:01.000Z"},"history":[{"messageId":"m2","contextId":"c","taskId":"asks","role":"ROLE_USER","parts":[{"text":"How were sales?"}]}],"metadata":{"urn:troupe:a2a:events:v1":{"v":1,"kind":"events","turn":1,"events":[]}}}', 319, NULL, nextval('released.settled_order'), 1790000000000);
INSERT INTO released.change VALUES (1, 2, '[{"artifactUpdate":{"taskId":"runs","contextId":"c","artifact":{"artifactId":"a","name":"streaming_result","parts":[{"text":"Sales "}]}}}]');
INSERT INTO released.change VALUES (1, 3, '[{"artifactUpdate":{"taskId":"runs","contextId":"c","artifact":{"artifactId":"a","name":"streaming_result","parts":[{"text":"rose"}]},"append":true}},{"artifactUpdate":{"taskId":"runs","contextId":"c","artifact":{"artifactId":"a","name":"streaming_result","parts":[{"text":"."}]},"append":true}}]');
INSERT INTO released.message VALUES ('ann', 'm1', 1), ('ann', 'm2', 2);
INSERT INTO released.holder VALUES ('gone', 1790000000000);
INSERT INTO released.push (task, id, body, told, state) VALUES
  (1, 'hook', '{"id":"hook","url":"https://hooks.example/a","token":"t","version":"1.0","authentication":{"scheme":"Bearer","credentials":"c"}}', '2@2026-11-21T10:00:02.000Z', 'open');
