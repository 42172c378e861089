import type { PageTables } from "../query.ts";

/** A task as it is read. */
export interface Row {
  readonly position: number;
  readonly owner: string;
  readonly id: string;
  readonly context: string;
  readonly updated_at: string;
  readonly body: string;
  /** Since the body was written. */
  readonly changes: readonly string[];
  /** Of the task with its changes. */
  readonly version: number;
  readonly holder: string | null;
  readonly alive: boolean;
}

/**
 * Every statement by which tasks are kept, each of which is one step on its own. `now` in them is the
 * time of whoever asks, or of the database where nobody says one.
 *
 * A change of a task is a row of the journal under the next version, and the key of that row is what
 * two writers meet at: the second finds it taken. So an update writes that row and nothing else.
 */
export function statements(schema: string) {
  const now = (place: string): string =>
    `COALESCE(${place}::bigint, (extract(epoch FROM clock_timestamp()) * 1000)::bigint)`;
  const version = `GREATEST(task.version, COALESCE((SELECT MAX(change.version) FROM ${schema}.change WHERE change.task = task.position), 0))`;
  const free = (place: string): string =>
    `NOT EXISTS (SELECT FROM ${schema}.holder WHERE holder.id = task.holder AND holder.until > ${now(place)})`;
  const rows = (nowPlace: string, also = ""): string => `
SELECT task.position::float8 AS position, owner, task.id, context, updated_at, body, ${version} AS version, holder,
  NOT ${free(nowPlace)} AS alive,
  ARRAY(SELECT change.body FROM ${schema}.change WHERE change.task = task.position
    AND change.version > task.version ORDER BY change.version) AS changes${also}
FROM ${schema}.task`;
  /** Journals $4 under the version after $3, where $3 is the one that is stored. */
  const added = (also = ""): string => `
INSERT INTO ${schema}.change (task, version, body)
SELECT position, $3::int + 1, $4::text FROM ${schema}.task
WHERE owner = $1::text AND id = $2::text AND version <= $3::int AND ${version} = $3::int ${also}
ON CONFLICT DO NOTHING RETURNING task`;
  /** Sets the row to what is stored whole: $5 context, $6 state, $7 time, $8 body, $9 whether it rests, $10 now. */
  const whole = `version = $3::int + 1, context = $5::text, state = $6::int, updated_at = $7::text, body = $8::text,
  bytes = length($8::text), cancel_asked = false,
  settled = CASE WHEN $9::boolean THEN nextval('${schema}.settled_order') END,
  settled_at = CASE WHEN $9::boolean THEN ${now("$10")} END`;
  /**
   * Journals are kept for one writing of the whole longer: somebody may be following. The row is told by
   * its key in words that leave no other way to find it, whatever statistics there are.
   */
  const dropped = `dropped AS (
DELETE FROM ${schema}.change WHERE change.task = (SELECT task FROM added)
AND change.version <= (SELECT task.version FROM ${schema}.task WHERE task.position = (SELECT task FROM added)))`;
  const unknown = `AND NOT EXISTS (SELECT FROM ${schema}.message WHERE message.owner = $1::text AND message.id = $12::text)`;

  return {
    taskOfMessage: `SELECT task.id, ${version} AS version FROM ${schema}.message
JOIN ${schema}.task ON task.position = message.task WHERE message.owner = $1::text AND message.id = $2::text`,
    load: `${rows("$3")} WHERE owner = $1::text AND task.id = $2::text`,
    unfinished: `${rows("$3")} WHERE settled IS NULL AND position > $1::bigint AND ${free("$3")} ORDER BY position LIMIT $2::int`,
    /** The length of a text in octets is known without fetching it. Who is alive is not asked here. */
    page: {
      sign: "$",
      table: `${schema}.task`,
      size: `bytes + (SELECT COALESCE(SUM(octet_length(change.body)), 0) FROM ${schema}.change
WHERE change.task = task.position AND change.version > task.version)`,
      rows: rows("NULL", ", found"),
    } satisfies PageTables,
    count: (where: string): string => `SELECT COUNT(*)::int AS tasks FROM ${schema}.task WHERE ${where}`,
    append: added(),
    appendHead: `WITH added AS (${added()})
UPDATE ${schema}.task SET context = $5::text, state = $6::int, updated_at = $7::text, settled = NULL, settled_at = NULL
WHERE task.position = (SELECT task FROM added) RETURNING 1`,
    write: `WITH added AS (${added()}), ${dropped}
UPDATE ${schema}.task SET ${whole}, holder = CASE WHEN NOT $9::boolean THEN holder END
WHERE task.position = (SELECT task FROM added) RETURNING 1`,
    /** $11 the holder, $12 the message. */
    claimNew: `WITH added AS (
INSERT INTO ${schema}.task (owner, id, version, context, state, updated_at, body, bytes, settled, settled_at, holder)
SELECT $1::text, $2::text, $3::int + 1, $5::text, $6::int, $7::text, $8::text, length($8::text),
  CASE WHEN $9::boolean THEN nextval('${schema}.settled_order') END, CASE WHEN $9::boolean THEN ${now("$10")} END,
  CASE WHEN NOT $9::boolean THEN $11::text END
WHERE $4::text IS NOT NULL ${unknown}
ON CONFLICT (owner, id) DO NOTHING RETURNING position)
INSERT INTO ${schema}.message (owner, id, task) SELECT $1::text, $12::text, position FROM added RETURNING 1`,
    claimNext: `WITH added AS (${added(unknown)}), ${dropped}, written AS (
UPDATE ${schema}.task SET ${whole}, holder = CASE WHEN NOT $9::boolean THEN $11::text END
WHERE task.position = (SELECT task FROM added) RETURNING position)
INSERT INTO ${schema}.message (owner, id, task) SELECT $1::text, $12::text, position FROM written RETURNING 1`,
    setAside: `UPDATE ${schema}.task SET state = $2::int, settled = nextval('${schema}.settled_order'),
settled_at = ${now("$3")}, holder = NULL, cancel_asked = false WHERE position = $1::bigint AND settled IS NULL`,

    renew: `INSERT INTO ${schema}.holder (id, until) VALUES ($1::text, ${now("$3")} + $2::bigint)
ON CONFLICT (id) DO UPDATE SET until = excluded.until`,
    release: `DELETE FROM ${schema}.holder WHERE id = $1::text`,
    take: `WITH added AS (${added(`AND settled IS NULL AND ${free("$6")}`)})
UPDATE ${schema}.task SET holder = $5::text WHERE task.position = (SELECT task FROM added) RETURNING 1`,
    askCancel: `UPDATE ${schema}.task SET cancel_asked = true
WHERE owner = $1::text AND id = $2::text AND settled IS NULL AND NOT cancel_asked`,
    asked: `SELECT owner, id FROM ${schema}.task WHERE cancel_asked AND holder = $1::text`,
    updates: `SELECT ${version} AS version,
  ARRAY(SELECT change.body FROM ${schema}.change WHERE change.task = task.position
    AND change.version > $3::int ORDER BY change.version) AS changes
FROM ${schema}.task WHERE owner = $1::text AND id = $2::text`,

    /** Drops what has settled, by count $1, characters $2 and age $3. What goes on meanwhile is left alone. */
    sweep: `WITH kept AS (
SELECT position, settled, settled_at, row_number() OVER newer AS n, SUM(bytes) OVER newer AS size
FROM ${schema}.task WHERE settled IS NOT NULL WINDOW newer AS (ORDER BY settled DESC ROWS UNBOUNDED PRECEDING)
), gone AS (
DELETE FROM ${schema}.task USING kept WHERE task.position = kept.position AND task.settled = kept.settled
AND (n > $1::bigint OR size > $2::bigint OR ${now("$4")} - kept.settled_at > $3::bigint) RETURNING task.position
), changes AS (DELETE FROM ${schema}.change USING gone WHERE change.task = gone.position)
DELETE FROM ${schema}.message USING gone WHERE message.task = gone.position`,
    /** Drops the journal of what settled $1 ago: nobody follows it any more. */
    sweepJournal: `DELETE FROM ${schema}.change USING ${schema}.task
WHERE change.task = task.position AND change.version <= task.version AND task.settled_at < ${now("$2")} - $1::bigint`,
    sweepHolders: `DELETE FROM ${schema}.holder WHERE until < ${now("$2")} - $1::bigint`,
  };
}

export type Statements = ReturnType<typeof statements>;
