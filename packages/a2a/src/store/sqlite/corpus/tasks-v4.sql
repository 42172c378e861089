-- A file as version 4 wrote it. Never changed: later versions have to read it.
CREATE TABLE body (task INTEGER PRIMARY KEY, body TEXT NOT NULL) STRICT;
CREATE TABLE change (
  task INTEGER NOT NULL, position INTEGER NOT NULL, body TEXT NOT NULL, PRIMARY KEY (task, position)
) STRICT, WITHOUT ROWID;
CREATE TABLE message (
  owner TEXT NOT NULL, id TEXT NOT NULL, task INTEGER NOT NULL, PRIMARY KEY (owner, id)
) STRICT, WITHOUT ROWID;
CREATE TABLE push (
  position INTEGER PRIMARY KEY, task INTEGER NOT NULL, id TEXT NOT NULL, body TEXT NOT NULL,
  told TEXT NOT NULL, state TEXT NOT NULL, UNIQUE (task, id)
) STRICT;
CREATE INDEX push_open ON push (task) WHERE state = 'open';
CREATE TABLE task (
  position INTEGER PRIMARY KEY, owner TEXT NOT NULL, id TEXT NOT NULL, context TEXT NOT NULL,
  state INTEGER NOT NULL, updated_at TEXT NOT NULL, settled INTEGER, settled_at INTEGER, bytes INTEGER NOT NULL, version INTEGER NOT NULL DEFAULT 1,
  UNIQUE (owner, id)
) STRICT;
CREATE INDEX task_updated ON task (owner, updated_at, position);
CREATE INDEX task_of_context ON task (owner, context, updated_at, position);
CREATE INDEX task_settled ON task (settled) WHERE settled IS NOT NULL;
CREATE INDEX task_unfinished ON task (position) WHERE settled IS NULL;
CREATE INDEX message_of_task ON message (task);
CREATE TABLE suspended (
  position INTEGER PRIMARY KEY AUTOINCREMENT, run TEXT NOT NULL UNIQUE, body TEXT NOT NULL
) STRICT;
INSERT INTO "body" VALUES(1,'{"id":"runs","contextId":"c","status":{"state":"TASK_STATE_WORKING","timestamp":"2026-11-21T10:00:02.000Z"},"history":[{"messageId":"m1","contextId":"c","taskId":"runs","role":"ROLE_USER","parts":[{"text":"How were sales?"}]}],"metadata":{"urn:troupe:a2a:events:v1":{"v":1,"kind":"events","turn":1,"events":[]}}}');
INSERT INTO "body" VALUES(2,'{"id":"asks","contextId":"c","status":{"state":"TASK_STATE_INPUT_REQUIRED","timestamp":"2026-11-21T10:00:01.000Z"},"history":[{"messageId":"m2","contextId":"c","taskId":"asks","role":"ROLE_USER","parts":[{"text":"How were sales?"}]}],"metadata":{"urn:troupe:a2a:events:v1":{"v":1,"kind":"events","turn":1,"events":[]}}}');
INSERT INTO "change" VALUES(1,0,'[{"artifactUpdate":{"taskId":"runs","contextId":"c","artifact":{"artifactId":"a","name":"streaming_result","parts":[{"text":"Sales "}]}}}]');
INSERT INTO "change" VALUES(1,1,'[{"artifactUpdate":{"taskId":"runs","contextId":"c","artifact":{"artifactId":"a","name":"streaming_result","parts":[{"text":"rose"}]},"append":true}},{"artifactUpdate":{"taskId":"runs","contextId":"c","artifact":{"artifactId":"a","name":"streaming_result","parts":[{"text":"."}]},"append":true}}]');
INSERT INTO "message" VALUES('ann','m1',1);
INSERT INTO "message" VALUES('ann','m2',2);
INSERT INTO "push" VALUES(1,1,'hook','{"id":"hook","url":"https://hooks.example/a","token":"t","version":"1.0","authentication":{"scheme":"Bearer","credentials":"c"}}','2@2026-11-21T10:00:02.000Z','open');
INSERT INTO "task" VALUES(1,'ann','runs','c',2,'2026-11-21T10:00:02.000Z',NULL,NULL,746,1);
INSERT INTO "task" VALUES(2,'ann','asks','c',6,'2026-11-21T10:00:01.000Z',1,1790000000000,319,1);
INSERT INTO "suspended" VALUES(1,'asks','{"v":1,"origin":{"contextId":"context-1","userId":"ann"},"request":{"requestId":"request-1","kind":"form","form":{"title":"Tester","description":"Which year?","fields":[{"field_name":"year","field_label":"Year","field_description":"","field_type":"number","field_values":[],"default_value":null,"placeholder":"2026","required":true}]}},"messages":[{"role":"user","text":"Sales, please."},{"role":"assistant","text":"","toolCalls":[{"callId":"call-1","name":"finish","arguments":"{\"content\":\"\",\"user_input\":\"Which year?\"}"}]}],"results":[],"evidence":{"citations":[],"charts":[],"artifacts":[],"data":{}},"usage":{"inputTokens":10,"outputTokens":5,"cacheReadTokens":0,"cacheWriteTokens":0,"modelCalls":1},"iteration":1,"calls":[],"elapsedMs":1200}');
PRAGMA user_version=4;
