import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { DuckDBInstance } from "@duckdb/node-api";
import { silentLog } from "@troupe/core";
import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { toCell } from "../adapters/cells.ts";
import { collectionFolder, requireRegistry } from "../store/registry.ts";
import type { Cell } from "../types/result.ts";
import { ingestCsv } from "./ingest-csv.ts";

let home = "";

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "troupe-numbers-"));
});

afterAll(() => rm(home, { recursive: true, force: true }));

interface Loaded {
  readonly rows: readonly (readonly Cell[])[];
  readonly names: readonly string[];
  readonly notes: string;
  readonly rejected: number;
  readonly delimiter: string;
}

async function loadAll(texts: readonly (string | Uint8Array)[]): Promise<readonly Loaded[]> {
  const paths = texts.map((_, i) => join(home, `t${i}.csv`));
  await Promise.all(paths.map((path, i) => writeFile(path, texts[i] ?? "")));
  const report = await ingestCsv({ home, collection: "numbers", paths, log: silentLog });
  expect(report.failures).toEqual([]);
  const { database } = await requireRegistry(home, "numbers");
  const instance = await DuckDBInstance.create(join(collectionFolder(home, "numbers"), database), {
    access_mode: "READ_ONLY",
  });
  const connection = await instance.connect();
  try {
    const loaded: Loaded[] = [];
    for (const { table, notes, rejected, delimiter } of report.files) {
      const reader = await connection.runAndReadAll(`SELECT * FROM ${table}`);
      const rows = reader.getRows().map((row) => row.map(toCell));
      const names = reader.columnNames();
      loaded.push({
        rows,
        names,
        notes: notes.join("\n"),
        rejected,
        delimiter,
      });
    }
    return loaded;
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

async function load(text: string | Uint8Array): Promise<Loaded> {
  const [loaded] = await loadAll([text]);
  if (loaded === undefined) throw new Error("nothing was loaded");
  return loaded;
}

const column = (loaded: Loaded, at = 0): readonly Cell[] => loaded.rows.map((row) => row[at] ?? null);
const sum = (loaded: Loaded, at = 0): number =>
  column(loaded, at).reduce<number>((all, cell) => all + Number(cell), 0);

describe("the decimal mark of a column", () => {
  it("keeps the thousands of 500 numbers when one is written without a comma", async () => {
    const grouped = Array.from({ length: 500 }, (_, i) => `"${1 + (i % 9)},${String(100 + i)}",${1000 + i}`);
    const loaded = await load(`revenue,other\n${grouped.join("\n")}\n1500,"2,001"\n`);
    const truth = Array.from({ length: 500 }, (_, i) => (1 + (i % 9)) * 1000 + 100 + i);
    expect(sum(loaded)).toBe(truth.reduce((all, one) => all + one, 1500));
    expect(column(loaded, 1).at(-1)).toBe(2001);
    expect(loaded.notes).toContain("revenue: comma between thousands; it could also be a decimal comma");
  });

  it.each([
    ["a currency sign", 'n\n"$1,200"\n$1500\n', [1200, 1500]],
    ["a fraction elsewhere", 'n,m\n"1,200",2.5\n1500,3.25\n', [1200, 1500]],
    ["several groups", 'n\n"1,234,567"\n1500\n', [1_234_567, 1500]],
  ])("is a point where thousands are grouped in part: %s", async (_, text, values) => {
    expect(column(await load(text))).toEqual(values);
  });

  it("reads a German file by the decimal commas that one of its columns shows", async () => {
    const loaded = await load("Filiale;Umsatz;Preis\nA;1.200;1,50\nB;1500;2,50\nC;2.300;3,50\n");
    expect(loaded.rows).toEqual([
      ["A", 1200, 1.5],
      ["B", 1500, 2.5],
      ["C", 2300, 3.5],
    ]);
  });

  it.each([
    ["semicolons", "Datum;Kurs\na;1,085\nb;1,092\nc;0,998\n", [1.085, 1.092, 0.998]],
    ["tabs", "Datum\tKurs\na\t1,085\nb\t1,092\nc\t0,998\n", [1.085, 1.092, 0.998]],
    ["commas", 'Datum,Kurs\na,"1,085"\nb,"0,998"\n', [1.085, 0.998]],
    ["rebates", "Datum;Rabatt\na;0,125\nb;0,250\nc;0,075\n", [0.125, 0.25, 0.075]],
    ["a currency sign", "Datum;Preis\na;0,250 €\nb;1,500 €\n", [0.25, 1.5]],
    ["a minus sign", "Datum;Kurs\na;-0,998\nb;1,085\n", [-0.998, 1.085]],
  ])("is the comma after a zero: %s", async (_, text, values) => {
    const loaded = await load(text);
    expect(column(loaded, 1)).toEqual(values);
    expect(loaded.notes).toContain("decimal comma");
  });

  it("follows the semicolon where no value shows it, and says its doubt", async () => {
    const loaded = await load("a;b\n1,234;1.500\n2,500;2.750\n");
    expect(loaded.rows).toEqual([
      [1.234, 1500],
      [2.5, 2750],
    ]);
    expect(loaded.notes).toContain("a: decimal comma; it could also stand between thousands");
    expect(loaded.notes).toContain(
      "b: point read as standing between thousands; it could also be a decimal point",
    );
  });

  it("says its doubt where a column can be read both ways and two others disagree", async () => {
    const loaded = await load('a,b,c\n"1,5",2.5,"1,101"\n"2,5",3.5,"1,202"\n');
    expect(loaded.rows[0]).toEqual([1.5, 2.5, 1101]);
    expect(loaded.notes).toContain("c: comma between thousands; it could also be a decimal comma");
  });

  it("says its doubt, and leaves other columns alone, where one value in hundreds shows it", async () => {
    const lines = Array.from({ length: 300 }, (_, i) => `"1,${100 + i}","2,${100 + i}"`);
    const loaded = await load(`a,b\n${lines.join("\n")}\n"1,5","2,500"\n`);
    expect(column(loaded, 1)[0]).toBe(2100);
    expect(loaded.notes).toContain(
      "a: decimal comma, as 1 of 301 values can only be read so; it could also stand between thousands",
    );
  });

  it("is found for any numbers that show it, whatever share of them has its thousands grouped", async () => {
    const number = fc.record({ whole: fc.nat(9_999_999), cents: fc.nat(99), isGrouped: fc.boolean() });
    const numbers = fc.array(number, { minLength: 3, maxLength: 12 });
    const file = fc.record({ numbers, isComma: fc.boolean(), delimiter: fc.constantFrom(",", ";", "\t") });
    await fc.assert(
      fc.asyncProperty(fc.array(file, { minLength: 25, maxLength: 25 }), async (files) => {
        const texts = files.map(({ numbers: all, isComma, delimiter }) => {
          const [group, mark] = isComma ? [".", ","] : [",", "."];
          const lines = all.map(({ whole, cents, isGrouped }) => {
            const digits = isGrouped ? String(whole).replace(/\B(?=(\d{3})+$)/g, group) : String(whole);
            const exact = `${digits}${mark}${String(cents).padStart(2, "0")}`;
            return [`"${digits}"`, `"${exact}"`].join(delimiter);
          });
          return [["n", "price"].join(delimiter), ...lines].join("\n");
        });
        for (const [i, loaded] of (await loadAll(texts)).entries()) {
          const all = files[i]?.numbers ?? [];
          expect(column(loaded, 0)).toEqual(all.map(({ whole }) => whole));
          expect(column(loaded, 1)).toEqual(all.map(({ whole, cents }) => whole + cents / 100));
        }
      }),
      // Of 25 files: an ingest copies and writes a whole database.
      { numRuns: 1, endOnFailure: true },
    );
  });

  it("is never guessed without a word: any column that can be read both ways has a note", async () => {
    const cell = fc.oneof(
      fc.integer({ min: 0, max: 9_999 }).map(String),
      fc
        .tuple(
          fc.integer({ min: 1, max: 999 }),
          fc.constantFrom(".", ","),
          fc.integer({ min: 100, max: 999 }),
        )
        .map((parts) => parts.join("")),
    );
    const cells = fc.array(cell, { minLength: 2, maxLength: 8 });
    const file = fc.record({ cells, delimiter: fc.constantFrom(",", ";", "\t") });
    await fc.assert(
      fc.asyncProperty(fc.array(file, { minLength: 25, maxLength: 25 }), async (files) => {
        const texts = files.map(({ cells: all, delimiter }) =>
          ["n", ...all.map((text) => `"${text}"`)].map((text) => `${text}${delimiter}x`).join("\n"),
        );
        for (const [i, loaded] of (await loadAll(texts)).entries()) {
          const all = files[i]?.cells ?? [];
          const isPlain = all.every((text) => /^[0-9]+$/.test(text));
          const isRead = isPlain && column(loaded).every((cell, row) => cell === Number(all[row]));
          expect({ isRead, text: texts[i], isNoted: loaded.notes.includes("could also") }).toMatchObject({
            isRead: isPlain,
            isNoted: !isPlain,
          });
        }
      }),
      { numRuns: 1, endOnFailure: true },
    );
  });
});

describe("codes with an E", () => {
  it.each([
    ["product_id", ["1E5", "2E7", "33310"]],
    ["product_id", ["1.5E5", "2E+7", "33310"]],
    ["commit_id", ["12345e7", "1234567", "7654321"]],
    ["batch", ["1E5", "12345e7", "100"]],
  ])("stay text in %s: %j", async (name, codes) => {
    const loaded = await load(`${name},n\n${codes.map((code) => `${code},1`).join("\n")}\n`);
    expect(column(loaded)).toEqual(codes);
  });

  it("stay text among hundreds of numbers", async () => {
    const lines = Array.from({ length: 300 }, (_, i) => `${1_000_000 + i},1`);
    const loaded = await load(`commit,n\n${lines.join("\n")}\n12345e7,1\n`);
    expect(column(loaded).slice(-2)).toEqual(["1000299", "12345e7"]);
    expect(loaded.notes).toBe("commit: read as text, because values such as 1E5 may be codes");
  });

  it("are numbers where some have a fraction or a sign in the exponent", async () => {
    expect(column(await load("x,k\n1.5e10,a\n1e5,b\n"))).toEqual([1.5e10, 1e5]);
    expect(column(await load("x,k\n1E-07,a\n1e5,b\n"))).toEqual([1e-7, 1e5]);
  });
});

describe("the order of day and month", () => {
  it.each([
    ["01/05/2024,01/15/2024", "02/03/2024,02/14/2024", ["2024-01-05", "2024-02-03"], "month before day"],
    ["01-05-2024,01/15/2024", "02-03-2024,02/14/2024", ["2024-01-05", "2024-02-03"], "month before day"],
    ["01/05/2024,01-15-2024", "02/03/2024,02-14-2024", ["2024-01-05", "2024-02-03"], "month before day"],
    ["01/05/2024,15/01/2024", "02/03/2024,14/02/2024", ["2024-05-01", "2024-03-02"], "day before month"],
  ])("is that of the columns that show it: %s", async (first, second, dates, order) => {
    const loaded = await load(`order_date,ship_date\n${first}\n${second}\n`);
    expect(column(loaded)).toEqual(dates);
    expect(column(loaded, 1)).toEqual(["2024-01-15", "2024-02-14"]);
    expect(loaded.notes).toBe(`order_date: ${order}, as in other columns of the file`);
  });

  it.each(["/", "-"])("is in doubt where no column shows it: %s", async (mark) => {
    const dates = ["01/05/2024", "02/03/2024"].map((date) => date.replaceAll("/", mark));
    const loaded = await load(`d,n\n${dates.join(",1\n")},1\n`);
    expect(column(loaded)).toEqual(["2024-05-01", "2024-03-02"]);
    expect(loaded.notes).toBe("d: day before month; every date could also be read month first");
  });

  it("is in doubt where two columns disagree", async () => {
    const loaded = await load("a,b,c\n01/05/2024,01/15/2024,15/01/2024\n02/03/2024,02/14/2024,14/02/2024\n");
    expect(loaded.rows[0]).toEqual(["2024-05-01", "2024-01-15", "2024-01-15"]);
    expect(loaded.notes).toContain("a: day before month; every date could also be read month first");
  });

  it("takes the first days of months with dashes for what they are", async () => {
    const months = ["01-01-2024", "02-01-2024", "03-01-2024"];
    const loaded = await load(`d,n\n${months.join(",1\n")},1\n`);
    expect(column(loaded)).toEqual(["2024-01-01", "2024-02-01", "2024-03-01"]);
    expect(loaded.notes).toContain("month before day");
  });

  it("is the one that is written, wherever one column of the file shows it", async () => {
    const day = fc.record({ month: fc.integer({ min: 1, max: 12 }), day: fc.integer({ min: 1, max: 12 }) });
    const file = fc.record({
      days: fc.array(day, { minLength: 1, maxLength: 6 }),
      isMonthFirst: fc.boolean(),
      mark: fc.constantFrom("/", "-"),
    });
    const two = (part: number): string => String(part).padStart(2, "0");
    await fc.assert(
      fc.asyncProperty(fc.array(file, { minLength: 25, maxLength: 25 }), async (files) => {
        const texts = files.map(({ days, isMonthFirst, mark }) => {
          const write = (month: number, dayOfMonth: number): string =>
            [...(isMonthFirst ? [month, dayOfMonth] : [dayOfMonth, month]).map(two), "2024"].join(mark);
          return ["a,b", ...days.map((one) => `${write(one.month, one.day)},${write(one.month, 28)}`)].join(
            "\n",
          );
        });
        for (const [i, loaded] of (await loadAll(texts)).entries())
          expect(column(loaded)).toEqual(
            files[i]?.days.map((one) => `2024-${two(one.month)}-${two(one.day)}`),
          );
      }),
      { numRuns: 1, endOnFailure: true },
    );
  });
});

describe("the first line", () => {
  it.each([
    ["sep=;\na;b\n1,5;x\n2,5;y\n", ";"],
    ["\ufeffsep=;\r\na;b\r\n1,5;x\r\n2,5;y\r\n", ";"],
    ['"sep=;"\r\na;b\r\n1,5;x\r\n2,5;y\r\n', ";"],
    ["SEP=|\na|b\n1,5|x\n2,5|y\n", "|"],
    ["sep=\t\ra\tb\r1,5\tx\r2,5\ty\r", "\t"],
    ["sep=;\na;b\r\n1,5;x\n2,5;y\r\n", ";"],
    ['sep=;\n"a";b\n1,5;x\n2,5;y\n', ";"],
  ])("may name the delimiter, as Excel writes it: %j", async (text, delimiter) => {
    const utf16 = Buffer.from(text.replace(/^(?!\ufeff)/, "\ufeff"), "utf16le");
    for (const loaded of await loadAll([text, utf16])) {
      expect(loaded).toMatchObject({ names: ["a", "b"], delimiter, rejected: 0 });
      expect(loaded.rows).toEqual([
        [1.5, "x"],
        [2.5, "y"],
      ]);
    }
  });

  it("may have a column that is called sep", async () => {
    expect(await load("sep=x,b\n1,2\n")).toMatchObject({ names: ["sep=x", "b"], rows: [[1, 2]] });
  });

  it("may be months over columns of numbers", async () => {
    const loaded = await load("region;01.2024;02.2024\nN;12,5;7\nS;2,5;3\n");
    expect(loaded).toMatchObject({
      names: ["region", "01.2024", "02.2024"],
      notes: "01.2024: decimal comma",
    });
    expect([sum(loaded, 1), sum(loaded, 2)]).toEqual([15, 10]);
  });
});

describe("rows labelled as totals", () => {
  const PIVOT = "North,p0,3967\nNorth,p1,21393\nNorth,Total,25360\nSouth,p0,10\nSouth,p1,5\nSouth,Total,15\n";

  it.each([
    ["below each group", PIVOT, 25375],
    ["below each group and below all", `${PIVOT}Grand Total,,25375\n`, 25375],
    ["in two columns below all", `${PIVOT}Total,Total,25375\n`, 25375],
    ["above each group", "N,Summe,30\nN,a,10\nN,b,20\nS,Summe,7\nS,a,3\nS,b,4\n", 37],
    ["of a group of one row", "N,a,10\nN,b,20\nN,Total,30\nS,a,3\nS,Total,3\n", 33],
    ["of groups within groups", "N,Q1,1\nN,Q1,2\nN,Zwischensumme,3\nS,Q1,4\nS,Q1,5\nS,Zwischensumme,9\n", 12],
    [
      "of rows and columns",
      "N,a,1\nN,b,2\nN,Total,3\nS,a,4\nS,b,6\nS,Total,10\nTotal,a,5\nTotal,b,8\nTotal,Total,13\n",
      13,
    ],
    ["in the first row", "Insgesamt,,100\nA,x,60\nB,y,40\n", 100],
    ["in the first row, above each group too", `Grand Total,,25375\n${PIVOT}`, 25375],
    ["in order of the alphabet", "North,x,60\nTotal,,100\nWest,y,40\n", 100],
  ])("are left out, with a note: %s", async (_, text, expected) => {
    const loaded = await load(`region,product,n\n${text}`);
    expect(sum(loaded, 2)).toBe(expected);
    expect(loaded.notes).toMatch(/labelled as (a total|totals) .* and left out/);
  });

  it("are left out in the first row of two columns", async () => {
    const loaded = await load("region,n\nTotal,100\nA,60\nB,40\n");
    expect(loaded.rows).toEqual([
      ["A", 60],
      ["B", 40],
    ]);
  });

  it("are left out by year, where years are numbers", async () => {
    const loaded = await load(
      "year,region,n\n2023,N,1\n2023,S,2\n2023,Total,3\n2024,N,5\n2024,S,6\n2024,Total,11\n",
    );
    expect(sum(loaded, 2)).toBe(14);
  });

  it.each([
    ["of all, in the first row", "Total,,90\nA,x,60\nB,y,40\n", 190, "like a total of the others"],
    ["of groups", "N,a,10\nN,b,20\nN,Total,35\nS,a,3\nS,b,4\nS,Total,9\n", 81, "not the sums of its group"],
    ["of one group", PIVOT.replace("25360", "26360"), 51735, "not the sums of its group"],
  ])("are kept with a note where their figures are no sums: %s", async (_, text, expected, note) => {
    const loaded = await load(`region,product,n\n${text}`);
    expect(sum(loaded, 2)).toBe(expected);
    expect(loaded.notes).toContain(note);
  });

  it("are data where the word is a name", async () => {
    const text = "N,Shell,5\nN,Total,7\nN,Eni,30\nS,Shell,15\nS,Total,1.5\nS,Eni,30\n";
    const loaded = await load(`region,vendor,n\n${text}`);
    expect(column(loaded, 2)).toEqual([5, 7, 30, 15, 1.5, 30]);
    expect(loaded.notes).toBe("");
  });

  it.each([
    [
      "names beside the group",
      "team,name,n\nA,Ann,5\nA,Bo,7\nA Team,Cy,12\nB,Di,1\nB,Ed,2\nB Team,Flo,3\n",
      "",
    ],
    ["no word for totals", "plan,k,n\nA,x,5\nA,x,7\nA Plus,x,12\nB,x,1\nB,x,2\nB Plus,x,3\n", "and are kept"],
  ])("are not those of groups whose names are alike: %s", async (_, text, note) => {
    const loaded = await load(text);
    expect(loaded.rows).toHaveLength(6);
    expect(loaded.notes).not.toContain("left out");
    expect(loaded.notes).toContain(note);
  });

  it("leave the sum of the rows, whatever the figures and the place of the totals", async () => {
    const figure = fc.integer({ min: 1, max: 100_000 });
    const file = fc.record({
      groups: fc.array(fc.array(figure, { minLength: 2, maxLength: 5 }), { minLength: 2, maxLength: 5 }),
      isAbove: fc.boolean(),
      hasGrandTotal: fc.boolean(),
      word: fc.constantFrom("Total", "TOTAL:", "Summe", "Subtotal"),
    });
    const all = (figures: readonly number[]): number => figures.reduce((a, b) => a + b, 0);
    await fc.assert(
      fc.asyncProperty(fc.array(file, { minLength: 25, maxLength: 25 }), async (files) => {
        const texts = files.map(({ groups, isAbove, hasGrandTotal, word }) => {
          const lines = groups.flatMap((figures, g) => {
            const rows = figures.map((n, i) => `group ${g},item ${i},${n}`);
            const total = `group ${g},${word},${all(figures)}`;
            return isAbove ? [total, ...rows] : [...rows, total];
          });
          const grand = `Grand Total,,${all(groups.flat())}`;
          if (hasGrandTotal) lines.splice(isAbove ? 0 : lines.length, 0, grand);
          return ["group,item,n", ...lines].join("\n");
        });
        const loaded = await loadAll(texts);
        expect(loaded.map((one) => sum(one, 2))).toEqual(files.map(({ groups }) => all(groups.flat())));
      }),
      { numRuns: 1, endOnFailure: true },
    );
  });
});
