import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import type { Retriever, SearchHit } from "../retriever.ts";
import { MIGRATIONS } from "../store/migrations.ts";
import { openStore } from "../store/index-store.ts";
import { memoryIndex } from "../testing/memory-index.ts";

const DOCUMENTS = {
  "ja.md":
    "# 計画\n\n会議は京都で開かれた。東京の予算は五百万円です。次の会議は未定です。\n\n犬を飼う人が食べる物。ﾃﾞｰﾀは５００件。",
  "zh.md": "# 預算\n\n北京大学的学生很多。我们的预算是五百万元！明年再说。",
  "ko.md": "# 계획\n\n회의는 서울에서 열렸다. 한국어예산은 오백만 원입니다.",
  "th.md": "# แผน\n\nงบประมาณของกรุงเทพคือห้าล้านบาท",
  "lo.md": "# ລາວ\n\nງົບປະມານຂອງວຽງຈັນແມ່ນຫ້າລ້ານ",
  "km.md": "# ខ្មែរ\n\nថវិការបស់ភ្នំពេញគឺប្រាំលាន",
  "hi.md": "# योजना\n\nदिल्ली का बजट पचास लाख है।",
  "ru.md": "# План\n\nВойна и мир: ёлка в мае.",
  "mixed.md": "# Notes\n\nThe GDPは増加 report says Zürichの予定表 is due. Nothing else is.",
} as const;

let index: Retriever;
beforeAll(async () => {
  index = await memoryIndex({ docs: DOCUMENTS });
});
afterAll(() => index.close());

const sourcesOf = async (query: string): Promise<readonly string[]> =>
  (await index.search(query)).hits.map((hit) => hit.citation.source);

describe("search in scripts of the world", () => {
  it.each([
    ["予算", "ja.md"],
    ["東京 予算", "ja.md"],
    ["東京の予算はいくらですか", "ja.md"],
    ["犬", "ja.md"],
    ["食べる", "ja.md"],
    ["データ 500", "ja.md"],
    ["预算", "zh.md"],
    ["北京大学有多少学生？", "zh.md"],
    ["예산", "ko.md"],
    ["งบประมาณ", "th.md"],
    ["ງົບປະມານ", "lo.md"],
    ["ថវិកា", "km.md"],
    ["दिल्ली", "hi.md"],
    ["ЁЛКА", "ru.md"],
    ["gdp", "mixed.md"],
    ["増加", "mixed.md"],
    ["zurich", "mixed.md"],
  ])("finds %s", async (query, source) => {
    expect((await sourcesOf(query))[0]).toBe(source);
  });

  it.each(["名古屋", "首尔", "부산"])("finds nothing for %s, which is nowhere", async (query) => {
    expect((await index.search(query)).unknownWords).not.toEqual([]);
    expect(await sourcesOf(query)).toEqual([]);
  });

  it.each([
    ["東京の予算", "東京の予算は五百万円です。"],
    ["预算", "我们的预算是五百万元！"],
  ])("quotes the sentence that holds %s", async (query, sentence) => {
    const { citation, documentId } = (await index.search(query)).hits[0] as SearchHit;
    expect(citation.quote).toContain(sentence);
    const page = await index.page(documentId, 1);
    expect(page?.text.slice(citation.start, citation.end)).toBe(citation.quote);
  });

  it("finds every part of two or more characters of a text", async () => {
    const text = "東京都庁の予算案について𠮟る人々が議論した結果、カタカナ語も한국어예산은也包括北京大学";
    const one = await memoryIndex({ docs: { "a.md": text } });
    const characters = Array.from(text);
    await fc.assert(
      fc.asyncProperty(
        fc.nat(characters.length - 1),
        fc.integer({ min: 1, max: 8 }),
        async (from, length) => {
          const part = characters.slice(from, from + length).join("");
          fc.pre(/\p{L}/u.test(part));
          expect((await one.search(part)).hits).toHaveLength(1);
        },
      ),
    );
    await one.close();
  });

  it("searches an index of version 1 after it was opened once", () => {
    const folder = mkdtempSync(join(tmpdir(), "retrieval-"));
    const path = join(folder, "index.db");
    const old = new DatabaseSync(path);
    old.exec(`${MIGRATIONS[0] as string}
      PRAGMA user_version = 1;
      INSERT INTO documents VALUES (1, 'd1', 'c', 'a.md', '/a.md', '東京計画', 'text/markdown', 'x', 3, 1, 0, 1, 2, NULL, NULL, 'f', '[]', 0, 1);
      INSERT INTO pages VALUES (1, 1, NULL, '東京の予算は五百万円です。' || char(10) || 'Pumps run at night.', '[{"start":0,"path":["歳入"]}]');
      INSERT INTO chunks VALUES (1, 'k1', 1, 1, 0, 13), (2, 'k2', 1, 1, 14, 33);
      INSERT INTO chunk_index (rowid, title, section, body) VALUES
        (1, '東京計画', '歳入', '東京の予算は五百万円です。'), (2, '東京計画', '歳入', 'Pumps run at night.');`);
    old.close();
    const store = openStore(path);
    try {
      const idsOf = (query: string): readonly (string | undefined)[] =>
        store.search(query, {}).hits.map((hit) => hit.citation.chunkId);
      expect(idsOf("予算")).toEqual(["k1"]);
      expect(idsOf("pump")).toEqual(["k2"]);
      expect(new Set(idsOf("歳入"))).toEqual(new Set(["k1", "k2"]));
    } finally {
      store.close();
      rmSync(folder, { recursive: true });
    }
  });
});
