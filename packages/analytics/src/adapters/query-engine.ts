import { DuckDBInstance, StatementType, type DuckDBConnection, type DuckDBResult } from "@duckdb/node-api";

import { checkTree, type Verdict } from "../guard/gate.ts";
import type { Cell } from "../types/result.ts";
import { MAX_CELL, toCell } from "./cells.ts";
import type { ChildSetup, FromChild, ToChild } from "./query-protocol.ts";

type Query = Extract<ToChild, { kind: "query" }>;

/** The database that statements of a model are run on, and what they are answered with. */
export interface QueryEngine {
  /** One statement, or an end to the one that runs. */
  receive(message: ToChild): void;
  close(): void;
}

/**
 * One read-only connection with every door of the engine shut; the gate decides what runs on it. What
 * came of a statement goes to `send`.
 */
export async function openQueryEngine(
  setup: Omit<ChildSetup, "rssMb">,
  send: (message: FromChild) => void,
): Promise<QueryEngine> {
  const instance = await openInstance(setup);
  const connection = await shutDoors(instance);
  /** An interrupted stream may end like one that is read to its end. */
  let interrupted = false;

  const gate = async (sql: string): Promise<Verdict> => {
    const reader = await connection.runAndReadAll("SELECT json_serialize_sql($1::VARCHAR)", [sql]);
    const verdict = checkTree(JSON.parse(String(reader.getRows()[0]?.[0])), setup.tables);
    if (!verdict.ok) return verdict;
    const statements = await connection.extractStatements(sql);
    const only = statements.count === 1 ? await statements.prepare(0) : undefined;
    const select = only?.statementType === StatementType.SELECT;
    only?.destroySync();
    if (select) return verdict;
    const message = "Write exactly one SELECT statement.";
    return { ok: false, denial: { reason: "statement", name: "", message } };
  };

  const countRest = async (result: DuckDBResult, before: number): Promise<number | null> => {
    try {
      let total = before;
      for (
        let chunk = await result.fetchChunk();
        chunk !== null && chunk.rowCount > 0;
        chunk = await result.fetchChunk()
      ) {
        total += chunk.rowCount;
      }
      return interrupted ? null : total;
    } catch {
      return null;
    }
  };

  /** Rows first, then the count of what was left out: a kill while counting loses no row. */
  const stream = async (query: Query, read: Extract<Verdict, { ok: true }>): Promise<void> => {
    const { tables, limited } = read;
    const result = await connection.stream(query.sql);
    const types = result.columnTypes().map(String);
    const columns = result.deduplicatedColumnNames().map((name, i) => ({ name, type: types[i] ?? "" }));
    const rows: Cell[][] = [];
    const budget = { bytes: query.maxBytes, clipped: false };
    let total = 0;
    let sent = false;
    for (
      let chunk = await result.fetchChunk();
      chunk !== null && chunk.rowCount > 0;
      chunk = await result.fetchChunk()
    ) {
      for (let i = 0; i < chunk.rowCount && !sent; i++) {
        if (rows.length >= query.maxRows || budget.bytes <= 0) {
          send({ kind: "rows", id: query.id, tables, limited, columns, rows, cut: true });
          sent = true;
        } else {
          rows.push(columns.map((_, c) => clip(toCell(chunk.getColumnVector(c).getItem(i)), budget)));
        }
      }
      total += chunk.rowCount;
      if (sent) return send({ kind: "total", id: query.id, total: await countRest(result, total) });
    }
    if (interrupted) throw new Error("interrupted");
    send({ kind: "rows", id: query.id, tables, limited, columns, rows, cut: budget.clipped });
    send({ kind: "total", id: query.id, total });
  };

  const run = async (query: Query): Promise<void> => {
    interrupted = false;
    try {
      const verdict = await gate(query.sql);
      if (verdict.ok) await stream(query, verdict);
      else send({ kind: "denied", id: query.id, denial: verdict.denial });
    } catch (error) {
      send({ kind: "failed", id: query.id, message: error instanceof Error ? error.message : String(error) });
    }
  };

  return {
    receive(message) {
      if (message.kind === "query") void run(message);
      else {
        interrupted = true;
        connection.interrupt();
      }
    },
    close() {
      connection.closeSync();
      instance.closeSync();
    },
  };
}

function openInstance({ file, engineMb, threads }: Omit<ChildSetup, "rssMb">): Promise<DuckDBInstance> {
  return DuckDBInstance.create(file, {
    access_mode: "READ_ONLY",
    allow_community_extensions: "false",
    allow_persistent_secrets: "false",
    autoinstall_known_extensions: "false",
    autoload_known_extensions: "false",
    max_temp_directory_size: "0B",
    memory_limit: `${engineMb}MB`,
    temp_directory: "",
    threads: String(threads),
  });
}

async function shutDoors(instance: DuckDBInstance): Promise<DuckDBConnection> {
  const opened = await instance.connect();
  await opened.run("SET enable_external_access = false");
  // The database file itself stays on the engine's allow list; without a file system nothing opens it again.
  await opened.run("SET disabled_filesystems = 'LocalFileSystem'");
  // Months and days of times with a zone are those of UTC, on every machine.
  await opened.run("SET TimeZone = 'UTC'");
  await opened.run("SET lock_configuration = true");
  return opened;
}

function clip(cell: Cell, budget: { bytes: number; clipped: boolean }): Cell {
  if (typeof cell !== "string") {
    budget.bytes -= 12;
    return cell;
  }
  const kept = cell.length > MAX_CELL ? `${cell.slice(0, MAX_CELL)}…` : cell;
  if (kept !== cell) budget.clipped = true;
  budget.bytes -= kept.length * 2 + 4;
  return kept;
}
