import { InputError, StoreError } from "@troupe/core";

import type { Sql } from "./sql.ts";

/** Brings a schema from one version to the next, the first makes its tables. Never changed once released. */
const MIGRATIONS = [
  `
CREATE TABLE {schema}.task (
  position BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  owner TEXT COLLATE "C" NOT NULL, id TEXT COLLATE "C" NOT NULL, context TEXT COLLATE "C" NOT NULL,
  state INTEGER NOT NULL, updated_at TEXT COLLATE "C" NOT NULL,
  version INTEGER NOT NULL, body TEXT NOT NULL, bytes INTEGER NOT NULL,
  holder TEXT COLLATE "C", cancel_asked BOOLEAN NOT NULL DEFAULT false,
  settled BIGINT, settled_at BIGINT,
  UNIQUE (owner, id)
);
CREATE SEQUENCE {schema}.settled_order;
CREATE INDEX task_updated ON {schema}.task (owner, updated_at, position);
CREATE INDEX task_of_context ON {schema}.task (owner, context, updated_at, position);
CREATE INDEX task_settled ON {schema}.task (settled) WHERE settled IS NOT NULL;
CREATE INDEX task_unfinished ON {schema}.task (position) WHERE settled IS NULL;
CREATE INDEX task_to_cancel ON {schema}.task (holder) WHERE cancel_asked;
CREATE TABLE {schema}.change (
  task BIGINT NOT NULL, version INTEGER NOT NULL, body TEXT NOT NULL, PRIMARY KEY (task, version)
);
CREATE TABLE {schema}.message (
  owner TEXT COLLATE "C" NOT NULL, id TEXT COLLATE "C" NOT NULL, task BIGINT NOT NULL, PRIMARY KEY (owner, id)
);
CREATE INDEX message_of_task ON {schema}.message (task);
CREATE TABLE {schema}.holder (id TEXT COLLATE "C" PRIMARY KEY, until BIGINT NOT NULL);
`,
  // Whom to notify of a task, in the order in which they came.
  `
CREATE TABLE {schema}.push (
  position BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  task BIGINT NOT NULL REFERENCES {schema}.task ON DELETE CASCADE,
  id TEXT COLLATE "C" NOT NULL, body TEXT NOT NULL, told TEXT NOT NULL, state TEXT NOT NULL,
  UNIQUE (task, id)
);
CREATE INDEX push_open ON {schema}.push (task) WHERE state = 'open';
`,
  // Runs that wait for a person, in the order in which they came to wait.
  `
CREATE SEQUENCE {schema}.suspended_order;
CREATE TABLE {schema}.suspended (
  run TEXT COLLATE "C" PRIMARY KEY, body TEXT NOT NULL,
  position BIGINT NOT NULL DEFAULT nextval('{schema}.suspended_order')
);
CREATE INDEX suspended_by_age ON {schema}.suspended (position);
`,
];

/** Raised with every change of the tables; a schema of a later version is refused, an earlier one migrated. */
export const TASKS_VERSION = MIGRATIONS.length;

/** Where nobody names one. */
export const DEFAULT_SCHEMA = "troupe";

/** Any number, as long as nobody else in the database takes it: "troupe" as bytes. */
const LOCK = 0x74726f757065;

/** A name as it stands in a statement, without quotes. Throws an `InputError`. */
export function checkSchemaName(schema: string): string {
  if (/^[a-z_][a-z0-9_]{0,62}$/.test(schema)) return schema;
  throw new InputError(
    "input.invalid",
    `"${schema}" cannot name a schema: use up to 63 lower-case letters, digits and underscores, no digit first.`,
  );
}

/** Makes the tables or brings them up to date; replicas that start at once do so one after the other. */
export async function migrate(sql: Sql, schema: string, what: string): Promise<void> {
  // Told apart from a database that holds something else, and without a lock where nothing is to be done.
  const before = await versionOf(sql, schema);
  if (before > TASKS_VERSION)
    throw new StoreError(
      "store.corrupt",
      `${what} have version ${before}, this program reads up to ${TASKS_VERSION}; use the newer program that wrote them`,
    );
  if (before === TASKS_VERSION) return;
  const steps = MIGRATIONS.map((migration, index) => stepTo(index + 1, migration, schema));
  await sql.script(`
SET LOCAL statement_timeout = 0;
SELECT pg_advisory_xact_lock(${LOCK});
CREATE SCHEMA IF NOT EXISTS ${schema};
CREATE TABLE IF NOT EXISTS ${schema}.version (version INTEGER NOT NULL);
${steps.join("")}`);
}

/** Which version it has is asked behind the lock: another replica may have been first. */
function stepTo(version: number, migration: string, schema: string): string {
  return `
DO $migration$ BEGIN
IF COALESCE((SELECT MAX(version) FROM ${schema}.version), 0) < ${version} THEN
${migration.replaceAll("{schema}", schema)}
INSERT INTO ${schema}.version VALUES (${version});
END IF;
END $migration$;
`;
}

/** 0 where there is nothing yet. */
async function versionOf(sql: Sql, schema: string): Promise<number> {
  const [table] = await sql.query<{ found: boolean }>("SELECT to_regclass($1::text) IS NOT NULL AS found", [
    `${schema}.version`,
  ]);
  if (table?.found !== true) return 0;
  const [row] = await sql.query<{ version: number }>(
    `SELECT COALESCE(MAX(version), 0) AS version FROM ${schema}.version`,
    [],
  );
  return row?.version ?? 0;
}
