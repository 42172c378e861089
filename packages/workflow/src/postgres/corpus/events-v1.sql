-- A schema as version 1 wrote it. Never changed: later versions have to read it.
CREATE SCHEMA released;
CREATE TABLE released.version (version INTEGER NOT NULL);
INSERT INTO released.version VALUES (1);
CREATE TABLE released.run (
  position BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id TEXT COLLATE "C" NOT NULL UNIQUE,
  name TEXT COLLATE "C", objective TEXT, user_id TEXT COLLATE "C", thread_id TEXT COLLATE "C", created_at BIGINT,
  events INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX run_created ON released.run (created_at, position);
CREATE INDEX run_of_user ON released.run (user_id, created_at, position);
CREATE INDEX run_of_thread ON released.run (thread_id, created_at, position) WHERE thread_id IS NOT NULL;
CREATE INDEX run_planning ON released.run (position) WHERE name = '';
CREATE TABLE released.event (
  run BIGINT NOT NULL, position INTEGER NOT NULL, key TEXT COLLATE "C" NOT NULL, long_key TEXT, type TEXT COLLATE "C" NOT NULL,
  at BIGINT NOT NULL, body TEXT NOT NULL, PRIMARY KEY (run, position)
);
CREATE UNIQUE INDEX event_key ON released.event (run, key);
CREATE INDEX event_folded ON released.event (run, position)
  WHERE type IN ('plan-update', 'step-status', 'input-required', 'finish');
CREATE FUNCTION released.append(runs TEXT[], keys TEXT[], long_keys TEXT[], types TEXT[], ages BIGINT[], bodies TEXT[])
RETURNS void LANGUAGE plpgsql AS $append$
#variable_conflict use_column
DECLARE
  at_last BIGINT;
BEGIN
  INSERT INTO released.run (id) SELECT DISTINCT given FROM unnest(runs) AS given
    WHERE NOT EXISTS (SELECT FROM released.run WHERE id = given) ORDER BY given ON CONFLICT DO NOTHING;
  PERFORM FROM released.run WHERE id = ANY (runs) ORDER BY id FOR UPDATE;
  at_last := (extract(epoch FROM clock_timestamp()) * 1000)::bigint;
  WITH given AS (
    SELECT run.position AS run, run.events AS first, key, long_key, type, age, body, n
    FROM unnest(runs, keys, long_keys, types, ages, bodies) WITH ORDINALITY AS told (id, key, long_key, type, age, body, n)
    JOIN released.run ON run.id = told.id
  ), fresh AS (
    SELECT DISTINCT ON (run, key) * FROM given WHERE NOT EXISTS (
      SELECT FROM released.event WHERE event.run = given.run AND event.key = given.key
    ) ORDER BY run, key, n
  ), added AS (
    INSERT INTO released.event (run, position, key, long_key, type, at, body)
    SELECT run, first + row_number() OVER (PARTITION BY run ORDER BY n) - 1, key, long_key, type, at_last - age, body FROM fresh
    RETURNING run
  ), counted AS (SELECT run, count(*)::int AS n FROM added GROUP BY run)
  UPDATE released.run SET events = events + counted.n FROM counted WHERE run.position = counted.run;
END $append$;
INSERT INTO released.run (id, name, objective, user_id, thread_id, created_at, events) VALUES
  ('ended', 'One', 'Do it.', NULL, NULL, 1750000000000, 2),
  ('waits', 'Deck', '􏿿"Make a deck \u0000"', 'ann', 'talk', 1750000000000, 3),
  ('planned', '', 'What?', 'bob', NULL, 1750000001000, 0);
INSERT INTO released.event (run, position, key, long_key, type, at, body) VALUES
  (2, 0, 'plan', NULL, 'plan-update', 1750000000100, '{"v":1,"agent":"orchestrator","attempt":1,"runId":"waits","seq":0,"type":"plan-update","plan":{"name":"Deck","steps":[{"id":"who","kind":"human","agent":"","instruction":"Who?","dependsOn":[]}]}}'),
  (2, 1, 'ask/who', NULL, 'input-required', 1750000000200, '{"v":1,"agent":"orchestrator","attempt":1,"runId":"waits","seq":1,"stepId":"who","type":"input-required","request":{"requestId":"who","kind":"form","form":{"title":"Who?","description":"","fields":[]}}}'),
  (2, 2, 'status/who', NULL, 'step-status', 1750000000201, '{"v":1,"agent":"orchestrator","attempt":1,"runId":"waits","seq":2,"type":"step-status","step":"who","state":"input_required"}'),
  (1, 0, '􏿿#6950b77638b2af5f754276f1012fb65153f6b65ada467a8a65837fa25c22e984', 'longlonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglonglong', 'text-delta', 1750000000100, '{"v":1,"agent":"orchestrator","attempt":1,"runId":"ended","seq":0,"type":"text-delta","itemId":"i","delta":"Done."}'),
  (1, 1, 'finish', NULL, 'finish', 1750000000500, '{"v":1,"agent":"orchestrator","attempt":1,"runId":"ended","seq":1,"type":"finish","outcome":"completed","response":{"is_task_complete":true,"require_user_input":false,"content":"Done.","metadata":{"user_input":"","input_fields":[]},"citations":[],"data":null},"answerItems":[]}');
