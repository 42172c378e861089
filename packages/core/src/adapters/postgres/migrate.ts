import { InputError } from "../../errors/input-error.ts";
import { StoreError } from "../../errors/store-error.ts";
import type { Sql } from "./sql.ts";

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

/**
 * Makes the tables of a schema or brings them up to date; processes that start at once do so one after the
 * other. Each migration brings it to the next version, the first makes it, and none is changed once
 * released; `{schema}` in them is its name. A schema of a later version is refused (`store.corrupt`).
 */
export async function migrateSchema(
  sql: Sql,
  options: {
    readonly schema: string;
    readonly migrations: readonly string[];
    /** In the plural, such as "The tasks in Postgres". */
    readonly what: string;
  },
): Promise<void> {
  const { schema, migrations, what } = options;
  // Told apart from a database that holds something else, and without a lock where nothing is to be done.
  const before = await versionOf(sql, schema);
  if (before > migrations.length)
    throw new StoreError(
      "store.corrupt",
      `${what} have version ${before}, this program reads up to ${migrations.length}; use the newer program that wrote them`,
    );
  if (before === migrations.length) return;
  const steps = migrations.map((migration, index) => stepTo(index + 1, migration, schema));
  await sql.script(`
SET LOCAL statement_timeout = 0;
SELECT pg_advisory_xact_lock(${LOCK});
DO $schema$ BEGIN
-- IF NOT EXISTS asks for the right to make one also where it is there.
IF to_regnamespace('${schema}') IS NULL THEN CREATE SCHEMA ${schema}; END IF;
END $schema$;
CREATE TABLE IF NOT EXISTS ${schema}.version (version INTEGER NOT NULL);
${steps.join("")}`);
}

/** Which version it has is asked behind the lock: another process may have been first. */
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
