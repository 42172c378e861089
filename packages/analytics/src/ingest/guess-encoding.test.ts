import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, beforeAll, expect, it } from "vitest";

import { guessEncoding } from "./guess-encoding.ts";
import { prepareFile } from "./prepare-file.ts";

let home = "";

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "troupe-encoding-"));
});

afterAll(() => rm(home, { recursive: true, force: true }));

/** Every character that a byte or two stand for, as the platform decodes them. */
function encoderOf(encoding: string): (text: string) => Uint8Array {
  const decoder = new TextDecoder(encoding, { fatal: true });
  const bytesOf = new Map<string, readonly number[]>();
  const learn = (bytes: readonly number[]): void => {
    try {
      const text = decoder.decode(Uint8Array.from(bytes));
      if (Array.from(text).length === 1 && !bytesOf.has(text)) bytesOf.set(text, bytes);
    } catch {
      // These bytes are no character.
    }
  };
  for (let byte = 0; byte < 256; byte++) learn([byte]);
  if (["shift_jis", "gb18030", "euc-kr"].includes(encoding))
    for (let lead = 0x81; lead < 0xff; lead++)
      for (let trail = 0x40; trail < 0xff; trail++) learn([lead, trail]);
  return (text) =>
    Uint8Array.from(
      Array.from(text).flatMap((char) => {
        const bytes = bytesOf.get(char);
        if (bytes === undefined) throw new Error(`${encoding} has no "${char}"`);
        return bytes;
      }),
    );
}

async function file(encoding: string, text: string): Promise<string> {
  const path = join(home, "names.csv");
  await writeFile(path, encoderOf(encoding)(text));
  return path;
}

const OTHERS: readonly (readonly [string, string])[] = [
  ["windows-1251", "имя;город\nИванов;Москва\nПетров;Казань\n"],
  ["windows-1251", "Client,Sum\nИванов,10\n"],
  ["windows-1251", "товар;цена\nМолоко;10\nХлеб;20\n"],
  ["koi8-r", "имя;город\nИванов;Москва\nПетров;Казань\n"],
  ["windows-1250", "nazwa;miasto\nŻółw;Łódź\nPaweł;Gdańsk\nŚwinoujście;Kraków\n"],
  ["windows-1250", "name;n\nPaweł;1\nMichał;2\n"],
  ["windows-1250", "město;n\nPlzeň;1\nČeské Budějovice;2\nŘíčany;3\n"],
  ["windows-1250", "město,n\nPraha,1\nBrno,2\nPlzeň,4\n"],
  ["macintosh", "name;n\nMüller;1\nÅse;2\nJosé;3\n"],
  ["macintosh", "stad,n\nGöteborg,1\nMalmö,2\nMünchen,3\n"],
  ["windows-1253", "όνομα;πόλη\nΓιώργος;Αθήνα\n"],
  ["windows-1254", "ad;şehir\nAyşe;İstanbul\nOğuz;Eskişehir\n"],
  ["shift_jis", "名前,都市\n田中,東京\n鈴木,大阪\n"],
  ["shift_jis", "商品,売上\nりんご,100\nバナナ,200\n"],
  ["gb18030", "姓名,城市\n张三,北京\n李四,上海\n"],
  ["euc-kr", "이름,도시\n김철수,서울\n박영희,부산\n"],
];

it.each(OTHERS)("is %s, with a note: %j", async (encoding, text) => {
  const path = await file(encoding, text);
  expect((await guessEncoding(path))?.encoding).toBe(encoding);
  const prepared = await prepareFile(path, join(home, "scratch"));
  expect(prepared.encoding).toBe(encoding);
  expect(prepared.columns).toEqual(text.split("\n")[0]?.split(/[,;]/));
  expect(prepared.notes).toEqual([
    expect.stringContaining(`is read as ${encoding}, a guess from words such as`),
  ]);
});

it.each(OTHERS)("is not guessed where %s is given: %j", async (encoding, text) => {
  const path = await file(encoding, text);
  const prepared = await prepareFile(path, join(home, "scratch"), { encoding: encoding.toUpperCase() });
  expect(prepared).toMatchObject({ encoding, notes: [] });
  expect(prepared.columns).toEqual(text.split("\n")[0]?.split(/[,;]/));
});

it.each([
  "datum;name\n31.01.2024;Müller\n28.02.2024;Åse\n",
  "name,preis\nMüller,5 €\nGroß,3\n",
  "n,k\nJosé,1\nNuñez,2\nFrançois,3\nÉléonore,4\n",
  "Straße;Größe in m²\nA;1\nÄÖÜ;2\n",
  "naïve x,3\n“naïve” – y,4\ncœur…,5\n",
  "pris £,n\n£5,1\n5°,2\n5 m³,3\n½,4\n",
  "São Paulo,1\nBelém,2\nSão Luís,3\nações,4\n",
  "Ærø,1\nKøbenhavn,2\nTromsø,3\nRøros,4\n",
  "perché,1\npiù,2\nlunedì,3\nperò,4\nForlì-Cesena,5\n",
  "Þórður,1\nAkureyri,2\nÍsafjörður,3\nHöfn,4\n",
  "Škoda,1\nMüller,2\nL’été,3\nO’Connor,4\n",
])("is windows-1252 without a note: %j", async (text) => {
  const path = await file("windows-1252", text);
  expect(await guessEncoding(path)).toBeUndefined();
  expect(await prepareFile(path, join(home, "scratch"))).toMatchObject({
    encoding: "windows-1252",
    notes: [],
  });
});

it("is noted as unknown where nothing fits", async () => {
  const path = join(home, "unknown.csv");
  const odd = Buffer.from([
    0x61, 0x81, 0xff, 0x8d, 0x2c, 0x81, 0xfd, 0xa0, 0xff, 0x2c, 0x62, 0x9d, 0x81, 0xff, 0x0a,
  ]);
  await writeFile(path, Buffer.concat([Buffer.from("a,b,c\n"), odd, odd]));
  const prepared = await prepareFile(path, join(home, "scratch"));
  expect(prepared).toMatchObject({ encoding: "windows-1252" });
  expect(prepared.notes).toEqual([expect.stringContaining("looks wrong; ingest it with its encoding")]);
});

it("refuses an encoding that is none", async () => {
  const path = await file("windows-1252", "a,b\n1,2\n");
  await expect(prepareFile(path, join(home, "scratch"), { encoding: "cp-nothing" })).rejects.toMatchObject({
    message:
      '"cp-nothing" is no encoding that can be read. Use a label such as utf-8, windows-1250 or shift_jis.',
  });
});
