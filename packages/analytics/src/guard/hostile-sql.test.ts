import { once } from "node:events";
import { readFileSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { DuckDBInstance } from "@duckdb/node-api";
import { isTroupeError, silentLog, systemClock } from "@troupe/core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { ingestCsv } from "../ingest/ingest-csv.ts";
import { openDataSource } from "../store/open-data-source.ts";
import { readRegistry } from "../store/registry.ts";
import type { DataSource } from "../types/data-source.ts";

interface Attack {
  readonly id: string;
  readonly sql: string;
  readonly why: string;
  readonly expected: "denied" | "bounded";
}

const attacks = readFileSync(new URL("../testing/fixtures/hostile-sql.jsonl", import.meta.url), "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line) as Attack);

const signal = new AbortController().signal;
const LIMITS = { timeoutMs: 1_500, graceMs: 300, rssMb: 900, engineMb: 256 };
let root = "";
let source: DataSource;
let server: Server;
let connections = 0;
let values: { readonly [name: string]: string } = {};

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "troupe-hostile-"));
  const folders = {
    SECRET_DIR: join(root, "secret"),
    OUT_DIR: join(root, "out"),
    TENANT_DIR: join(root, "tenant"),
  };
  for (const folder of Object.values(folders)) await mkdir(folder);
  const csv = join(root, "sales.csv");
  const rows = Array.from({ length: 5_000 }, (_, i) => `${i},${i}.5,r${i % 4},2024-01-${10 + (i % 20)}`);
  await writeFile(csv, `id,amount,region,d\n${rows.join("\n")}\n`);
  const people = join(root, "people.csv");
  await writeFile(people, `id,name\n${Array.from({ length: 100 }, (_, i) => `${i},p${i}`).join("\n")}\n`);
  await ingestCsv({ home: root, collection: "data", paths: [csv, people], log: silentLog });
  const registry = await readRegistry(root, "data");
  const file = join(root, "data", "data", registry?.database ?? "");
  const instance = await DuckDBInstance.create(file);
  const connection = await instance.connect();
  await connection.run("CREATE SCHEMA private");
  await connection.run("CREATE TABLE private.salaries AS SELECT 'CANARY-PRIV' AS who, 1 AS amt");
  await connection.run(`COPY (SELECT 'CANARY-CSV' AS c) TO '${folders.SECRET_DIR}/canary.csv'`);
  await connection.run(`COPY (SELECT 'CANARY-JSON' AS c) TO '${folders.SECRET_DIR}/canary.json'`);
  await connection.run(
    `COPY (SELECT 'CANARY-PARQUET' AS c) TO '${folders.SECRET_DIR}/canary.parquet' (FORMAT parquet)`,
  );
  await connection.run(`ATTACH '${folders.SECRET_DIR}/other.duckdb' AS other`);
  await connection.run("CREATE TABLE other.t AS SELECT 'CANARY-OTHER' AS c");
  await connection.run("DETACH other");
  connection.closeSync();
  instance.closeSync();
  await writeFile(join(folders.SECRET_DIR, "canary.txt"), "CANARY-TXT");
  server = createServer((socket) => {
    connections++;
    socket.destroy();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  values = { ...folders, TMP_DIR: join(root, "out"), DB_FILE: file, PORT: String(port) };
  source = await openDataSource({
    home: root,
    collection: "data",
    clock: systemClock,
    log: silentLog,
    limits: LIMITS,
  });
});

afterAll(async () => {
  await source.close();
  server.close();
  await rm(root, { recursive: true, force: true });
});

async function attack(sql: string): Promise<{ readonly code: string; readonly text: string }> {
  const filled = sql.replace(/\$\{(\w+)\}/g, (_, name: string) => values[name] ?? "");
  try {
    const result = await source.query(filled, { signal });
    return { code: "ran", text: JSON.stringify(result.rows) };
  } catch (error) {
    if (!isTroupeError(error)) throw error;
    return { code: error.code, text: error.message };
  }
}

const REFUSED = new Set(["query.denied", "query.invalid", "query.unknown-name"]);

describe("statements that must be denied", () => {
  it.each(attacks.filter((one) => one.expected === "denied"))("$id: $why", async ({ sql }) => {
    const { code, text } = await attack(sql);
    expect(REFUSED).toContain(code);
    expect(text).not.toContain("CANARY");
  });

  it("none of them wrote, connected or changed the tables", async () => {
    expect(await readdir(values["OUT_DIR"] ?? "")).toEqual([]);
    expect(connections).toBe(0);
    const count = await source.query("SELECT count(*) FROM sales", { signal });
    expect(count.rows).toEqual([[5_000]]);
    expect(await readFile(join(values["SECRET_DIR"] ?? "", "canary.txt"), "utf8")).toBe("CANARY-TXT");
  });
});

describe("statements that must stay bounded", () => {
  it.each(attacks.filter((one) => one.expected === "bounded"))("$id: $why", async ({ sql }) => {
    const { text } = await attack(sql);
    expect(text.length).toBeLessThan(10_000_000);
    const after = await source.query("SELECT count(*) FROM people", { signal });
    expect(after.rows).toEqual([[100]]);
  });
});
