import { nearestNames } from "@troupe/core";

import { writeName } from "../names/quote.ts";
import type { Denial } from "../guard/gate.ts";
import { QueryError } from "../query-error.ts";
import type { DataSchema, TableInfo } from "../types/schema.ts";
import { joinsByName, writeJoin } from "./find-joins.ts";
import { schemaLines } from "./describe-schema.ts";

/** The schema in an error stops here; `describe_data` has the rest. */
const MAX_SCHEMA = 4_000;

export function deniedError(denial: Denial, schema: DataSchema): QueryError {
  if (denial.reason === "syntax") {
    return new QueryError(
      "query.invalid",
      withSchema(`The statement does not parse: ${denial.message}.`, schema),
    );
  }
  if (denial.reason !== "table") {
    return new QueryError("query.denied", withSchema(denial.message, schema));
  }
  const close = nearestNames(
    denial.name.split(".").at(-1) ?? "",
    schema.tables.map((table) => table.name),
  );
  return new QueryError("query.unknown-name", withSchema(`${denial.message}${didYouMean(close)}`, schema), {
    nearest: close,
  });
}

/** From the engine's message: only the kinds that speak of the statement itself are passed on. */
export function failedError(message: string, schema: DataSchema, sql: string): QueryError {
  const column =
    /Referenced (?:column|table) "([^"]*)" not found/.exec(message)?.[1] ??
    /column named "([^"]*)"/.exec(message)?.[1] ??
    /Column "([^"]*)" does not exist/.exec(message)?.[1];
  if (column !== undefined) {
    const names = [...new Set(schema.tables.flatMap((table) => table.columns.map((c) => c.name)))];
    const elsewhere = whereElse(column, schema, sql);
    const close = elsewhere === "" ? nearestNames(column, names) : [];
    const [nearest] = close;
    return new QueryError(
      "query.unknown-name",
      withSchema(
        `There is no column "${column}" in the tables of this statement.${elsewhere}${didYouMean(close)}${nearest === undefined ? "" : whereElse(nearest, schema, sql)}`,
        schema,
      ),
      { nearest: close },
    );
  }
  const known =
    /^(Binder|Catalog|Conversion|Invalid Input|Invalid Type|Mismatch Type|Out of Range|Parser|Syntax|Constraint|Not implemented) Error: ([^]*)/i.exec(
      message,
    );
  if (known !== null) {
    const text = (known[2] ?? "").split("\n\nLINE ")[0] ?? "";
    return new QueryError("query.invalid", withSchema(`The statement failed: ${text.trim()}`, schema));
  }
  if (/^Out of Memory Error/i.test(message)) return memoryError();
  return new QueryError("query.engine", "The statement failed inside the database. Try a simpler one.", {
    cause: new Error(message),
  });
}

export function timeoutError(timeoutMs: number): QueryError {
  return new QueryError(
    "query.timeout",
    `The statement did not end within ${timeoutMs / 1000} s. Filter or aggregate earlier, or read fewer tables.`,
  );
}

export function memoryError(): QueryError {
  return new QueryError(
    "query.memory",
    "The statement needed more memory than it may use. Filter or aggregate earlier, or read fewer columns.",
  );
}

/** ` product_name is in products; join on product_id (sales.product_id = products.product_id).` */
function whereElse(column: string, schema: DataSchema, sql: string): string {
  const owners = schema.tables.filter((table) =>
    table.columns.some(({ name }) => name.toLowerCase() === column.toLowerCase()),
  );
  if (owners.length === 0) return "";
  const isUsed = ({ name }: TableInfo): boolean =>
    new RegExp(`(?<![\\w"])(?:"${escaped(name)}"|${escaped(name)})(?![\\w"])`, "i").test(sql);
  const used = new Set(schema.tables.filter(isUsed).map(({ name }) => name));
  if (owners.some(({ name }) => used.has(name))) return "";
  const joins = joinsByName(schema).filter(
    ({ table, keyTable }) =>
      (used.has(table) && owners.some(({ name }) => name === keyTable)) ||
      (used.has(keyTable) && owners.some(({ name }) => name === table)),
  );
  const [join] = joins;
  const where = owners.map(({ name }) => writeName(name)).join(" and ");
  const how = join === undefined ? "" : `; join on ${writeName(join.column)} (${writeJoin(join)})`;
  return ` ${writeName(column)} is in ${where}${how}.`;
}

const escaped = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&");

function didYouMean(close: readonly string[]): string {
  return close.length === 0 ? "" : ` Nearest: ${close.map(writeName).join(", ")}.`;
}

function withSchema(message: string, schema: DataSchema): string {
  const lines = schemaLines(schema);
  const shown = lines.length > MAX_SCHEMA ? `${lines.slice(0, MAX_SCHEMA)}…` : lines;
  return `${message}\nTables:\n${shown}`;
}
