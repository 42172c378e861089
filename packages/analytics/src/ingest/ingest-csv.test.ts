import { mkdir, mkdtemp, readdir, rm, stat, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { DuckDBInstance } from "@duckdb/node-api";
import { silentLog, systemClock } from "@troupe/core";
import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { toCell } from "../adapters/cells.ts";
import { openDataSourceIn } from "../store/open-data-source.ts";
import { collectionFolder, requireRegistry } from "../store/registry.ts";
import type { DataSource } from "../types/data-source.ts";
import type { Cell } from "../types/result.ts";
import { ingestCsv } from "./ingest-csv.ts";
import { withIngestLock } from "./ingest-lock.ts";
import { listCsvFiles } from "./list-csv-files.ts";
import type { IngestReport } from "./report.ts";
import { startInProcess } from "../testing/start-in-process.ts";

const signal = new AbortController().signal;
let home = "";

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "troupe-ingest-"));
});

afterAll(() => rm(home, { recursive: true, force: true }));

async function file(name: string, content: string | Uint8Array): Promise<string> {
  const path = join(home, name);
  await writeFile(path, content);
  return path;
}

const ingest = (collection: string, paths: readonly string[], options = {}): Promise<IngestReport> =>
  ingestCsv({ home, collection, paths, log: silentLog, ...options });

/** What stands in the tables of a collection, read here: a process for every case takes longer than the case. */
async function rows(collection: string, sql: string): Promise<readonly (readonly Cell[])[]> {
  const { database } = await requireRegistry(home, collection);
  const instance = await DuckDBInstance.create(join(collectionFolder(home, collection), database), {
    access_mode: "READ_ONLY",
  });
  const connection = await instance.connect();
  try {
    const reader = await connection.runAndReadAll(sql);
    return reader.getRows().map((row) => row.map(toCell));
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

/** The same as an agent reads it: in a process of its own, through the gate. */
async function reading<T>(collection: string, read: (source: DataSource) => Promise<T>): Promise<T> {
  const source = await openDataSourceIn(startInProcess, {
    home,
    collection,
    clock: systemClock,
    log: silentLog,
  });
  try {
    return await read(source);
  } finally {
    await source.close();
  }
}

const asked = (collection: string, sql: string): Promise<readonly (readonly Cell[])[]> =>
  reading(collection, async (source) => (await source.query(sql, { signal })).rows);

const GERMAN = "datum;name;betrag\n31.01.2024;Müller;1.234,56\n28.02.2024;Åse;2.234,50\n";

describe("reading a file", () => {
  it.each([
    ["utf-8", new TextEncoder().encode(GERMAN)],
    ["utf-8", new TextEncoder().encode(`\ufeff${GERMAN}`)],
    ["utf-16le", Buffer.from(`\ufeff${GERMAN}`, "utf16le")],
    ["utf-16le", Buffer.from(GERMAN, "utf16le")],
    ["utf-16be", Buffer.from(`\ufeff${GERMAN}`, "utf16le").swap16()],
    ["windows-1252", Buffer.from(GERMAN, "latin1")],
  ])("reads semicolons, decimal commas and dates in %s", async (encoding, bytes) => {
    const report = await ingest("german", [await file("german.csv", bytes)]);
    expect(report.files[0]).toMatchObject({ rows: 2, rejected: 0, encoding, delimiter: ";" });
    expect(await rows("german", "SELECT datum, name, betrag FROM german ORDER BY datum")).toEqual([
      ["2024-01-31", "Müller", 1234.56],
      ["2024-02-28", "Åse", 2234.5],
    ]);
  });

  it("takes a collection named in any script, and none that is a path", async () => {
    await ingest("Gehälter 2025", [await file("pay.csv", "year,eur\n2024,5\n")]);
    expect(await asked("Gehälter 2025", "SELECT eur FROM pay")).toEqual([[5]]);
    await expect(ingest("../pay", ["not-read.csv"])).rejects.toThrow("cannot be the name of a collection");
  });

  it("reads numbers, dates and codes as what all of their values are", async () => {
    const text = [
      "zip,n,price,big,iso,us,when,flag,mixed,empty,grouped",
      '01234,1,1.50,12345678901234567,2024-01-31,01/31/2024,2024-01-31T10:00:00,true,1,,"1,234,567"',
      '00042,-2,22.75,1,2024-02-29,02/29/2024,2024-02-29 11:30:00,FALSE,x,,"2,000"',
      "99999,N/A,3,2,,12/01/2023,2024-03-01 00:00,True,3,,12",
    ];
    await ingest("types", [await file("types.csv", text.join("\n"))]);
    const types = await rows(
      "types",
      'SELECT typeof(zip), typeof(n), typeof(price), typeof(big), typeof(iso), typeof(us), typeof("when"), typeof(flag), typeof(mixed), typeof(empty), typeof(grouped) FROM types LIMIT 1',
    );
    expect(types[0]).toEqual([
      "VARCHAR",
      "BIGINT",
      "DECIMAL(18,2)",
      "BIGINT",
      "DATE",
      "DATE",
      "TIMESTAMP",
      "BOOLEAN",
      "VARCHAR",
      "VARCHAR",
      "DECIMAL(18,0)",
    ]);
    expect(await rows("types", "SELECT sum(n), sum(price), max(us), sum(grouped) FROM types")).toEqual([
      [-1, 27.25, "2024-02-29", 1_236_579],
    ]);
  });

  it("looks at every row, not at the first ones", async () => {
    const lines = Array.from({ length: 3_000 }, (_, i) => String(i)).concat("unknown");
    await ingest("late", [await file("late.csv", `value\n${lines.join("\n")}\n`)]);
    expect(await rows("late", "SELECT typeof(value), count(*) FROM late GROUP BY 1")).toEqual([
      ["BIGINT", 3_001],
    ]);
  });

  it("reads a column of numbers but for one cell as numbers, and says so", async () => {
    const lines = Array.from({ length: 100 }, (_, i) => `${i},${i === 15 ? "tbd" : `${i}.50`}`);
    const report = await ingest("tbd", [await file("tbd.csv", `n,revenue_sek\n${lines.join("\n")}\n`)]);
    expect(report.files[0]).toMatchObject({
      notes: ['revenue_sek: 1 of 100 values is not a number, e.g. "tbd" in row 16; read as empty'],
      rejectedCells: [{ column: "revenue_sek", count: 1 }],
    });
    expect(await rows("tbd", "SELECT typeof(sum(revenue_sek)), count(revenue_sek) FROM tbd")).toEqual([
      ["DECIMAL(38,2)", 99],
    ]);
    const schema = await reading("tbd", (source) => source.schema());
    expect(schema.tables[0]?.columns[1]?.rejected).toBe(1);
  });

  it("names a column that a few cells keep from being numbers", async () => {
    const lines = Array.from({ length: 10 }, (_, i) => (i === 3 ? "tbd" : String(i)));
    const report = await ingest("few", [await file("few.csv", `revenue,n\n${lines.join(",1\n")},1\n`)]);
    expect(report.files[0]?.notes).toEqual([
      'revenue is read as text: 1 of 10 values is not a number, e.g. "tbd" in row 4',
    ]);
  });

  it.each([
    [";", "1.234,2.500,12.750", 1234, "point read as standing between thousands"],
    [",", "1.234,2.500,12.750", 1.234, "could also stand between thousands"],
    [";", "0.123,2.500,12.750", 0.123, ""],
  ])(
    "reads three digits after a point with %s and says its doubt",
    async (delimiter, values, first, note) => {
      const text = `a${delimiter}b\n${values.replaceAll(",", `${delimiter}x\n`)}${delimiter}x\n`;
      const report = await ingest("three", [await file("three.csv", text)]);
      expect(await rows("three", "SELECT min(a) FROM three")).toEqual([[first]]);
      expect(report.files[0]?.notes).toHaveLength(note === "" ? 0 : 1);
      expect(report.files[0]?.notes.join("")).toContain(note);
    },
  );

  it("reads commas before three digits as between thousands, and as decimal commas with semicolons", async () => {
    const report = await ingest("commas", [
      await file("tabs.csv", "a\tb\n1,234\tx\n2,500\ty\n"),
      await file("commas.csv", "a;b\n1,234;x\n2,500;y\n"),
    ]);
    expect(await rows("commas", "SELECT sum(a) FROM tabs")).toEqual([[3734]]);
    expect(await rows("commas", "SELECT sum(a) FROM commas")).toEqual([[3.734]]);
    expect(report.files.map(({ notes }) => notes)).toEqual([
      ["a: comma between thousands; it could also be a decimal comma"],
      ["a: decimal comma; it could also stand between thousands"],
    ]);
  });

  it("says when the last row looks like a total", async () => {
    const path = await file("sum.csv", "region,n\nNorth,1\nSouth,2\nTotal,4\n");
    const report = await ingest("sum", [path]);
    expect(report.files[0]?.notes).toEqual([expect.stringContaining('total of the others ("Total")')]);
  });

  it.each([
    ["region,n\nNorth,1\nSouth,2\nTotal,3\n", 3],
    ["date,region,n\n2024-01-01,N,1\n2024-01-02,S,2\n,Total,3\n", 3],
    ["date,region,n,price\n2024-01-01,N,10.33,5\n2024-01-02,S,20.35,7\n,Total,30.7,6\n", 30.68],
    [
      "date;region;n\n01.02.2024;N;1,5\nSumme;;1,5\n02.02.2024;S;2,5\nSumme;;2,5\n03.02.2024;S;0\n04.02.2024;S;0\n",
      4,
    ],
  ])("leaves out rows that are totals: %j", async (text, sum) => {
    const report = await ingest("totals", [await file("totals.csv", text)]);
    expect(await rows("totals", "SELECT sum(n) FROM totals")).toEqual([[sum]]);
    expect(report.files[0]?.notes.join()).toContain("as a total");
  });

  it.each([
    [
      "date;site;n\n01.02.2024;N;1,5\n;;\n02.02.2024;S;2,5\n ; ;\n",
      2,
      "min(site), count(*), sum(n)",
      ["N", 2, 4],
    ],
    ["site,n\nN,1\nS,2\nTotal,3\n,\n", 2, "max(site), count(*), sum(n)", ["S", 2, 3]],
    ['n\n1\n""\n2\n', 2, "count(*), count(n), sum(n)", [2, 2, 3]],
    ["site,n\nN,\n,2\n", 2, "count(site), count(*), sum(n)", [1, 2, 2]],
  ])("leaves out rows without any value, and those alone: %j", async (text, count, select, told) => {
    const report = await ingest("blank", [await file("blank.csv", text)]);
    expect(report.files[0]).toMatchObject({ rows: count, rejected: 0 });
    expect(await rows("blank", `SELECT ${select} FROM blank`)).toEqual([told]);
  });

  it("takes a file of nothing but empty rows for one without rows", async () => {
    await expect(ingest("bare", [await file("bare.csv", "site,n\n,\n,\n")])).rejects.toMatchObject({
      issues: [expect.stringContaining("it has a header and no rows")],
    });
  });

  it.each([
    ["vendor,amount,visits\nShell,10000,1\nEni,20000,2\nTotal,3,3\n", "sum(amount), sum(visits)", [30003, 6]],
    ["date,n\n2024-01-01,1\n2024-01-02,2\nTotal,9\n", "sum(n), max(date)", [12, "2024-01-02"]],
    ["date,region,n\n2024-01-01,N,1\n2024-01-02,S,2\n,Total,9\n", "sum(n), max(region)", [12, "Total"]],
  ])("keeps a row of which any figure is no sum, and says so: %j", async (text, select, told) => {
    const report = await ingest("kept", [await file("kept.csv", text)]);
    expect(await rows("kept", `SELECT ${select} FROM kept`)).toEqual([told]);
    expect(report.files[0]).toMatchObject({
      doubtfulTotal: true,
      notes: ['1 row is like a total of the others ("Total") but kept: its figures are not their sums'],
    });
  });

  it("keeps rows of something called Total", async () => {
    const text = "date,vendor,n\n2024-01-01,Total,1\n2024-01-02,Shell,2\n2024-01-03,Total,3\n";
    await ingest("vendors", [await file("vendors.csv", text)]);
    expect(await rows("vendors", "SELECT sum(n) FROM vendors")).toEqual([[6]]);
  });

  it("reads spaces and apostrophes between thousands, and leaves telephones alone", async () => {
    const text = "a;b;phone\n1 234,50;12'500.25;555 123 456\n-12\u00A0000;7.5;555 123 457\n";
    await ingest("spaces", [await file("spaces.csv", text)]);
    expect(await rows("spaces", "SELECT sum(a), sum(b), max(phone) FROM spaces")).toEqual([
      [-10765.5, 12507.75, "555 123 457"],
    ]);
  });

  it("reads amounts that have one currency in their cells, and no others", async () => {
    const money = fc.record({ whole: fc.nat(999_999), cents: fc.nat(99), minus: fc.boolean() });
    const write = { point: [",", "."], comma: [".", ","] } as const;
    const amounts = fc.array(money, { minLength: 3, maxLength: 12 });
    const form = fc.constantFrom("point", "comma");
    const pattern = fc.constantFrom("€#", "# €", "#EUR", "EUR #", "$#", "# kr");
    // An ingest copies and writes a whole database: many files go into one.
    const many = fc.array(fc.record({ amounts, form, pattern }), { minLength: 25, maxLength: 25 });
    await fc.assert(
      fc.asyncProperty(many, async (cases) => {
        const files = cases.map(({ amounts: all, form: written, pattern: shape }, i) => {
          const [group, fraction] = write[written];
          const texts = all.map(({ whole, cents, minus }) => {
            const grouped = String(whole).replace(/\B(?=(\d{3})+$)/g, group);
            return `${minus ? "-" : ""}${shape.replace("#", () => `${grouped}${fraction}${String(cents).padStart(2, "0")}`)}`;
          });
          return file(`money${i}.csv`, `k;n\n${texts.map((text) => `x;${text}`).join("\n")}\n`);
        });
        await ingest("money", await Promise.all(files));
        const select = cases.map((_, i) => `(SELECT sum(n) FROM money${i})`).join(", ");
        const [sums = []] = await rows("money", `SELECT ${select}`);
        for (const [i, one] of cases.entries()) {
          const cents = one.amounts.reduce((sum, { whole, cents: rest, minus }) => {
            return sum + (minus ? -1 : 1) * (whole * 100 + rest);
          }, 0);
          expect(Number(sums[i]), `money${i}`).toBeCloseTo(cents / 100, 2);
        }
      }),
      // Of 25 files.
      { numRuns: 1 },
    );
    const mixed = await ingest("mixed", [await file("mixed.csv", "k,n\nx,€5\ny,$6\n")]);
    expect(mixed.files[0]?.notes).toContain(
      "n is read as text: its amounts are in $, EUR, which do not add up",
    );
  });

  it("takes the part that is always 01 for the day", async () => {
    const lines = Array.from({ length: 12 }, (_, i) => `${String(i + 1).padStart(2, "0")}/01/2024,1`);
    await ingest("months", [await file("months.csv", `d,n\n${lines.join("\n")}\n`)]);
    expect(await rows("months", "SELECT max(d) FROM months")).toEqual([["2024-12-01"]]);
  });

  it("reports ragged rows and keeps the columns", async () => {
    const report = await ingest("ragged", [await file("ragged.csv", "a,b,c\n1,2,3\n4,5\n6,7,8,9\n7,8,9\n")]);
    expect(report.files[0]).toMatchObject({ rows: 2, rejected: 2 });
    expect(report.files[0]?.rejects.map((reject) => reject.line)).toEqual([3, 4]);
    expect(await rows("ragged", "SELECT sum(a), sum(b), sum(c) FROM ragged")).toEqual([[8, 10, 12]]);
  });

  it("reads quoted delimiters, quotes and line breaks", async () => {
    await ingest("quoted", [await file("quoted.csv", 'a,b\n"x, ""y""\nz",1\n')]);
    expect(await rows("quoted", "SELECT a, b FROM quoted")).toEqual([['x, "y"\nz', 1]]);
  });

  it("reads a byte order mark, CRLF, and reserved, empty and doubled names", async () => {
    const path = await file("odd.csv", '\ufefforder,,id,ID\r\n1,"a\r\nb",3,4\r\n5,c,7,8\r\n');
    expect((await ingest("odd", [path])).files[0]).toMatchObject({ rows: 2, rejected: 0, notes: [] });
    expect(await asked("odd", 'SELECT "order", column_2, id, id_2 FROM odd ORDER BY 1')).toEqual([
      [1, "a\r\nb", 3, 4],
      [5, "c", 7, 8],
    ]);
  });

  it("numbers the columns of a file without a header", async () => {
    const report = await ingest("bare", [await file("bare.csv", "2024-01-01,1.5\n2024-01-02,2.5\n")]);
    expect(report.files[0]?.notes).toEqual(["the first row is data, so the columns were numbered"]);
    expect(await rows("bare", "SELECT sum(column_2) FROM bare")).toEqual([[4]]);
  });

  it("says when day and month could be swapped", async () => {
    const report = await ingest("swap", [await file("swap.csv", "d,n\n01/02/2024,1\n03/04/2024,2\n")]);
    expect(report.files[0]?.notes[0]).toContain("day before month");
  });

  it("takes names of columns as data", async () => {
    const header = ['"; DROP TABLE hostile --', "naïve ✓", "SELECT", "a'b", "__proto__"];
    const line = header.map((name) => `"${name.replaceAll('"', '""')}"`).join(",");
    await ingest("hostile", [await file("hostile.csv", `${line}\n1,2,3,4,5\n`)]);
    expect(
      await asked(
        "hostile",
        'SELECT """; DROP TABLE hostile --", "naïve ✓", "SELECT", "a\'b", "__proto__" FROM hostile',
      ),
    ).toEqual([[1, 2, 3, 4, 5]]);
  });
});

describe("a collection of files", () => {
  it("keeps good files when others are broken, and says what is wrong with each", async () => {
    const good = await file("good.csv", "a,b\n1,2\n");
    const bad = [
      await file("empty.csv", ""),
      await file("header.csv", "a,b\n"),
      await file("binary.csv", Buffer.from([0x50, 0x4b, 3, 4, 0, 0, 0, 1, 2, 0])),
      await file("torn.csv", "a,b,c\n1\n2\n3\n4,5,6\n"),
      join(home, "missing.csv"),
    ];
    const report = await ingest("mixed", [...bad, good]);
    expect(report.files.map(({ table }) => table)).toEqual(["good"]);
    expect(report.failures.map(({ message }) => message)).toEqual([
      '"empty.csv" is empty.',
      '"header.csv" was not loaded: it has a header and no rows.',
      '"binary.csv" is not text; a CSV file was expected.',
      '"torn.csv" was not loaded: 3 of its 4 rows do not have the 3 fields of its first row.',
      expect.stringContaining("There is no file"),
    ]);
  });

  it("changes nothing when no file is good", async () => {
    await ingest("stay", [await file("stay.csv", "a\n1\n")]);
    await expect(ingest("stay", [join(home, "missing.csv")])).rejects.toMatchObject({
      code: "input.invalid",
      issues: [expect.stringContaining("missing.csv")],
    });
    expect(await rows("stay", "SELECT a FROM stay")).toEqual([[1]]);
    const left = await readdir(join(home, "data", "stay"));
    expect(left.filter((name) => name.startsWith("tables-"))).toHaveLength(1);
  });

  it("replaces the table of a file that comes again, keeps the others", async () => {
    await ingest("again", [await file("one.csv", "a\n1\n"), await file("two.csv", "b\n2\n")]);
    await ingest("again", [await file("one.csv", "a\n10\n20\n")]);
    expect(await rows("again", "SELECT (SELECT sum(a) FROM one), (SELECT sum(b) FROM two)")).toEqual([
      [30, 2],
    ]);
  });

  it("gives files whose names come out the same tables of their own", async () => {
    const report = await ingest("same", [
      await file("My Data.csv", "a\n1\n"),
      await file("my-data.csv", "a\n2\n"),
    ]);
    expect(report.files.map(({ table }) => table)).toEqual(["my_data", "my_data_2"]);
  });

  it("serves ingests of one process one after the other", async () => {
    const [one, two] = [await file("c1.csv", "a\n1\n"), await file("c2.csv", "a\n2\n")];
    await Promise.all([ingest("turns", [one]), ingest("turns", [two])]);
    expect(await rows("turns", "SELECT (SELECT a FROM c1), (SELECT a FROM c2)")).toEqual([[1, 2]]);
  });

  it("stops between files when the signal fires, and leaves nothing", async () => {
    const stopped = AbortSignal.abort(new Error("stop"));
    await expect(ingest("stopped", [await file("s.csv", "a\n1\n")], { signal: stopped })).rejects.toThrow(
      "stop",
    );
    expect((await readdir(join(home, "data", "stopped"))).filter((name) => name.endsWith(".json"))).toEqual(
      [],
    );
  });

  it("follows what a person says of delimiter and decimal comma", async () => {
    const path = await file("said.csv", "a|b\n1,234|5\n");
    await ingest("said", [path], { delimiter: "|", decimalComma: true });
    expect(await rows("said", "SELECT a FROM said")).toEqual([[1.234]]);
    await ingest("said", [path], { delimiter: "|", decimalComma: false });
    expect(await rows("said", "SELECT a FROM said")).toEqual([[1234]]);
  });

  it("finds the CSV files of a folder", async () => {
    await expect(listCsvFiles([join(home, "data")])).rejects.toMatchObject({ code: "input.not-found" });
    const found = await listCsvFiles([home, join(home, "one.csv")]);
    expect(found).toContain(join(home, "one.csv"));
    expect(new Set(found).size).toBe(found.length);
  });

  it("needs a file", async () => {
    await expect(ingest("none", [])).rejects.toMatchObject({ code: "input.invalid" });
  });
});

it("tells a lock file that cannot be written from one that another process holds", async () => {
  const folder = await mkdtemp(join(tmpdir(), "troupe-lock-"));
  await mkdir(join(folder, "ingest-lock.duckdb"));
  await expect(withIngestLock(folder, "shop", () => Promise.resolve())).rejects.toMatchObject({
    code: "store.io",
    message: expect.stringMatching(/ingest-lock\.duckdb" cannot be written\. Check its permissions/),
  });
  await rm(folder, { recursive: true, force: true });
});

it.each([0, 4_096])("completes a lock file that a full disk left with %i bytes", async (bytes) => {
  const folder = collectionFolder(home, `cut-${bytes}`);
  const lock = join(folder, "ingest-lock.duckdb");
  await mkdir(folder, { recursive: true });
  (await DuckDBInstance.create(lock)).closeSync();
  await truncate(lock, bytes);
  const { ino } = await stat(lock);
  await ingest(`cut-${bytes}`, [await file("shops.csv", "name,open\nOslo,1\n")]);
  // The same file, so that a process that opened it before holds the same lock.
  expect((await stat(lock)).ino).toBe(ino);
  expect(await readdir(folder)).toEqual(expect.not.arrayContaining([expect.stringMatching(/\.part$/)]));
});
