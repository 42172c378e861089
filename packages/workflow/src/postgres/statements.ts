import { EVENT_PAGE } from "../engine/event-page.ts";
import { FOLDED } from "./schema.ts";

export interface RunRow {
  readonly position: number;
  readonly id: string;
  readonly name: string;
  readonly objective: string;
  readonly user_id: string | null;
  readonly thread_id: string | null;
  readonly created_at: number;
}

export interface EventRow {
  readonly position: number;
  readonly key: string;
  readonly at: number;
  readonly body: string;
}

export interface StandingRow {
  readonly events: number;
  readonly finish: string | null;
}

export interface FoldedRow {
  readonly run: number;
  readonly at: number;
  readonly body: string;
}

/** Every statement of the log, each of which is one step on its own. */
export function statements(schema: string) {
  const run = `SELECT position::float8 AS position, id, name, objective, user_id, thread_id, created_at::float8 AS created_at
FROM ${schema}.run WHERE created_at IS NOT NULL`;
  const now = "(extract(epoch FROM clock_timestamp()) * 1000)::bigint";
  const theirs = `CASE WHEN $4::text IS NULL THEN $3::text IS NULL OR user_id = $3::text
  ELSE user_id IS NOT DISTINCT FROM $3::text END`;
  const ofRun = `run = (SELECT position FROM ${schema}.run WHERE id = $1::text)`;
  return {
    append: `SELECT ${schema}.append($1::text[], $2::text[], $3::text[], $4::text[], $5::bigint[], $6::text[])`,
    /**
     * Those of one thread one after the other: whoever is on record has every run before it there, too, with an
     * earlier time, and counts it.
     */
    begin: `INSERT INTO ${schema}.run AS known (id, name, objective, user_id, thread_id, created_at)
VALUES ($1::text, $2::text, $3::text, $4::text, $5::text, ${schema}.begun_at($5::text))
ON CONFLICT (id) DO UPDATE SET name = excluded.name, objective = COALESCE(known.objective, excluded.objective),
  user_id = CASE WHEN known.created_at IS NULL THEN excluded.user_id ELSE known.user_id END,
  thread_id = CASE WHEN known.created_at IS NULL THEN excluded.thread_id ELSE known.thread_id END,
  created_at = COALESCE(known.created_at, excluded.created_at)
WHERE known.created_at IS NULL OR known.name = ''`,
    /** The first row of a page is there however large it is. */
    page: `SELECT position, key, at::float8 AS at, body FROM (
  SELECT position, key, at, body, SUM(octet_length(body)) OVER (ORDER BY position) - octet_length(body) AS before FROM (
    SELECT position, COALESCE(long_key, key) AS key, at, body FROM ${schema}.event WHERE ${ofRun} AND position >= $2::int ORDER BY position LIMIT ${EVENT_PAGE.rows}
  ) AS page
) AS sized WHERE before < ${EVENT_PAGE.bytes} ORDER BY position`,
    ends: `SELECT id, events FROM ${schema}.run WHERE id = ANY ($1::text[])`,
    /** How many events the run has, and the last with which it, or a step of it, ended. */
    standing: `SELECT events, (SELECT body FROM ${schema}.event WHERE event.run = run.position AND type = 'finish'
  ORDER BY event.position DESC LIMIT 1) AS finish FROM ${schema}.run WHERE id = $1::text`,
    planning: `SELECT id FROM ${schema}.run WHERE name = '' AND events = 0 ORDER BY position`,
    view: `${run} AND id = $1::text`,
    /**
     * $1 how the id begins as a column holds it, $2 the same where it had to be escaped, $3 whose, $4 of which
     * thread, which is one owner's, nobody's included, $5 older than which run, one of theirs, $6 how many.
     */
    runs: `${run} AND (starts_with(id, $1::text) OR starts_with(id, $2::text))
AND ($4::text IS NULL OR thread_id = $4::text) AND ${theirs}
AND ($5::text IS NULL OR (created_at, position) <
  (SELECT created_at, position FROM ${schema}.run WHERE id = $5::text AND ${theirs}))
ORDER BY created_at DESC, position DESC LIMIT $6::int`,
    /**
     * $1 how many milliseconds ago, $2 behind which, $3 how many: runs that have told of an end since when
     * nothing more came. One that old was begun before that, which an index tells.
     */
    ended: `SELECT run.position::float8 AS position, event.body FROM ${schema}.run
JOIN ${schema}.event ON event.run = run.position AND event.position = run.events - 1
WHERE run.created_at < ${now} - $1::bigint AND event.at < ${now} - $1::bigint AND event.type = 'finish'
AND run.position > $2::bigint ORDER BY run.position LIMIT $3::int`,
    forget: `WITH gone AS (DELETE FROM ${schema}.event WHERE run = ANY ($1::bigint[]))
DELETE FROM ${schema}.run WHERE position = ANY ($1::bigint[])`,
    folded: `SELECT run::float8 AS run, at::float8 AS at, body FROM ${schema}.event
WHERE run = ANY ($1::bigint[]) AND type IN (${FOLDED}) ORDER BY run, position`,
  };
}

export type Statements = ReturnType<typeof statements>;
