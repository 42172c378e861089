import { DatabaseSync } from "node:sqlite";

import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { sectionAt, type SectionMark } from "../chunk/sections.ts";
import { MIGRATIONS } from "./migrations.ts";
import { openDatabase } from "./database.ts";
import { pageReader, pageWriter } from "./page-blocks.ts";

const stored = (text: string, marks: readonly SectionMark[]): DatabaseSync => {
  const db = openDatabase(":memory:");
  db.exec(`INSERT INTO documents VALUES (1, 'd', 'c', 'a.md', '/a.md', 'T', 'text/markdown', 'x', 4, 1, 0, 1, 0, NULL, NULL, 'f', '[]', 0, 1);
    INSERT INTO pages VALUES (1, 1, NULL)`);
  pageWriter(db)(1, 1, text, marks);
  return db;
};

describe("page blocks", () => {
  it("give any slice of any page with the sections that hold in it", () => {
    const piece = fc.constantFrom("a", "é", "東", "😀", "\n", "word ".repeat(300), "😀x".repeat(900));
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join("")),
        fc.array(fc.nat(9_000), { maxLength: 8 }),
        fc.nat(9_000),
        fc.nat(3_000),
        (text, starts, from, length) => {
          const marks = [0, ...starts.toSorted((a, b) => a - b)].map((start, at) => ({
            start,
            path: [`S${at}`],
          }));
          const db = stored(text, marks);
          const start = Math.min(from, text.length);
          const end = Math.min(start + length, text.length);
          const slice = pageReader(db)(1, 1, start, end);
          expect(slice.text).toBe(text.slice(start, end));
          for (let at = start; at < end; at += 97)
            expect(sectionAt(slice.sections, at)).toEqual(sectionAt(marks, at));
          db.close();
        },
      ),
    );
  });

  it("reads a passage without the rest of its page", () => {
    const db = stored("word ".repeat(200_000), [{ start: 0, path: [] }]);
    db.exec("DELETE FROM page_blocks WHERE start_offset NOT BETWEEN 499000 - 4096 AND 501000");
    expect(pageReader(db)(1, 1, 500_000, 501_000).text).toBe("word ".repeat(200));
    expect(Number(db.prepare("SELECT count(*) AS n FROM page_blocks").get()?.["n"])).toBeLessThan(4);
    db.close();
  });

  it("are made of the pages of an index of version 2", () => {
    const text = "Äpfel 😀 ".repeat(2_000);
    const db = new DatabaseSync(":memory:");
    for (const step of MIGRATIONS.slice(0, 2)) if (typeof step === "string") db.exec(step);
    db.exec(
      `INSERT INTO documents VALUES (1, 'd', 'c', 'a.md', '/a.md', 'T', 'text/markdown', 'x', 4, 1, 0, 1, 0, NULL, NULL, 'f', '[]', 0, 1)`,
    );
    db.prepare("INSERT INTO pages VALUES (1, 1, 'iv', ?, ?)").run(text, '[{"start":0,"path":["Fruit"]}]');
    const step = MIGRATIONS[2];
    if (typeof step !== "function") throw new Error("The third step is not a function.");
    step(db);
    expect(pageReader(db)(1, 1, 0, text.length)).toEqual({ text, sections: [{ start: 0, path: ["Fruit"] }] });
    expect(
      db
        .prepare("SELECT * FROM pages")
        .all()
        .map((row) => ({ ...row })),
    ).toEqual([{ document: 1, page: 1, label: "iv" }]);
    db.close();
  });
});
