import { FOLDED_TYPES } from "../engine/fold-run.ts";

/**
 * Brings the tables from one version to the next, the first makes them. Never changed once released: a
 * further type that is folded needs an index of its own.
 *
 * A run that events came for before it was begun has no `created_at` yet. Its row is the lock under which
 * positions are given out, so they have no gaps and become visible in their order.
 */
export const MIGRATIONS = [
  `
CREATE TABLE {schema}.run (
  position BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id TEXT COLLATE "C" NOT NULL UNIQUE,
  name TEXT COLLATE "C", objective TEXT, user_id TEXT COLLATE "C", thread_id TEXT COLLATE "C", created_at BIGINT,
  events INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX run_created ON {schema}.run (created_at, position);
CREATE INDEX run_of_user ON {schema}.run (user_id, created_at, position);
CREATE INDEX run_of_thread ON {schema}.run (thread_id, created_at, position) WHERE thread_id IS NOT NULL;
CREATE INDEX run_planning ON {schema}.run (position) WHERE name = '';
CREATE TABLE {schema}.event (
  run BIGINT NOT NULL, position INTEGER NOT NULL, key TEXT COLLATE "C" NOT NULL, long_key TEXT, type TEXT COLLATE "C" NOT NULL,
  at BIGINT NOT NULL, body TEXT NOT NULL, PRIMARY KEY (run, position)
);
CREATE UNIQUE INDEX event_key ON {schema}.event (run, key);
CREATE INDEX event_folded ON {schema}.event (run, position)
  WHERE type IN ('plan-update', 'step-status', 'input-required', 'finish');
CREATE FUNCTION {schema}.append(runs TEXT[], keys TEXT[], long_keys TEXT[], types TEXT[], ages BIGINT[], bodies TEXT[])
RETURNS void LANGUAGE plpgsql AS $append$
#variable_conflict use_column
DECLARE
  at_last BIGINT;
BEGIN
  INSERT INTO {schema}.run (id) SELECT DISTINCT given FROM unnest(runs) AS given
    WHERE NOT EXISTS (SELECT FROM {schema}.run WHERE id = given) ORDER BY given ON CONFLICT DO NOTHING;
  PERFORM FROM {schema}.run WHERE id = ANY (runs) ORDER BY id FOR UPDATE;
  at_last := (extract(epoch FROM clock_timestamp()) * 1000)::bigint;
  WITH given AS (
    SELECT run.position AS run, run.events AS first, key, long_key, type, age, body, n
    FROM unnest(runs, keys, long_keys, types, ages, bodies) WITH ORDINALITY AS told (id, key, long_key, type, age, body, n)
    JOIN {schema}.run ON run.id = told.id
  ), fresh AS (
    SELECT DISTINCT ON (run, key) * FROM given WHERE NOT EXISTS (
      SELECT FROM {schema}.event WHERE event.run = given.run AND event.key = given.key
    ) ORDER BY run, key, n
  ), added AS (
    INSERT INTO {schema}.event (run, position, key, long_key, type, at, body)
    SELECT run, first + row_number() OVER (PARTITION BY run ORDER BY n) - 1, key, long_key, type, at_last - age, body FROM fresh
    RETURNING run
  ), counted AS (SELECT run, count(*)::int AS n FROM added GROUP BY run)
  UPDATE {schema}.run SET events = events + counted.n FROM counted WHERE run.position = counted.run;
END $append$;
`,
  // Of a run that is about to begin: its turn in its thread, and a time later than that of the one before, also where
  // the clock was set back. Else it is no time that is still to come, or lists of all runs would lose their order: the
  // second of one millisecond waits for the next. The number tells these locks from others in the database. It is a
  // function because the statement that waits for the lock does not see what was committed meanwhile; each in here does.
  `
CREATE FUNCTION {schema}.begun_at(thread TEXT) RETURNS BIGINT LANGUAGE plpgsql AS $begun$
DECLARE
  before BIGINT;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended(thread, 7206110311));
  before := (SELECT MAX(created_at) FROM {schema}.run WHERE thread_id = thread);
  IF before = (extract(epoch FROM clock_timestamp()) * 1000)::bigint THEN
    PERFORM pg_sleep(0.001);
  END IF;
  RETURN GREATEST((extract(epoch FROM clock_timestamp()) * 1000)::bigint, before + 1);
END $begun$;
`,
];

export const FOLDED = FOLDED_TYPES.map((type) => `'${type}'`).join(", ");
