import { constants, deflateRawSync, deflateSync } from "node:zlib";

import { systemClock } from "@troupe/core";
import { strToU8, zipSync } from "fflate";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";

import { parserProcess, type ParserProcess } from "../adapters/parser-process.ts";
import { DEFAULT_PARSE_LIMITS } from "./parsed-document.ts";

const start = (): ParserProcess =>
  parserProcess({ clock: systemClock, limits: DEFAULT_PARSE_LIMITS, timeoutMs: 60_000, memoryMb: 400 });

const START = '<w:document xmlns:w="w"><w:body>';
const END = "</w:body></w:document>";
const docx = (xml: string): Uint8Array => zipSync({ "word/document.xml": strToU8(xml) });

/** A PDF of these objects, the first of which is its catalogue. */
function pdf(objects: readonly string[]): Uint8Array {
  let text = "%PDF-1.7\n";
  const offsets = objects.map((body, at) => {
    const offset = text.length;
    text += `${at + 1} 0 obj\n${body}\nendobj\n`;
    return `${String(offset).padStart(10, "0")} 00000 n \n`;
  });
  const start = text.length;
  text += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${offsets.join("")}`;
  text += `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF`;
  return Buffer.from(text, "latin1");
}

const CATALOGUE = "<< /Type /Catalog /Pages 2 0 R >>";
const PAGE = "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] >>";
const tree = (kids: string, count: number): string => `<< /Type /Pages /Kids [${kids}] /Count ${count} >>`;
const content = (bytes: Buffer, filter: string): string =>
  `<< /Length ${bytes.length} ${filter} >>\nstream\n${bytes.toString("latin1")}\nendstream`;

// An ingest reads all files in one process, and so do these; one that is refused for what it fills has its own.
describe("a file that is made to be read for ever", { timeout: 120_000 }, () => {
  let parser: ParserProcess;
  beforeAll(() => {
    parser = start();
  });
  afterAll(() => parser.close());

  it.each([
    ["declares more than may be unpacked", declaring(4_294_967_000), "input.too-large", /unpacks to 4295 MB/],
    ["nests its elements", docx(START + "<w:p>".repeat(3_000_000)), "input.invalid", /damaged XML/],
    [
      "nests them and closes them",
      docx(START + "<w:r>".repeat(9_999) + "</w:r>".repeat(9_999) + END),
      "input.invalid",
      /damaged XML/,
    ],
    ["declares entities in entities", docx(laughs(30)), "input.invalid", /damaged XML/],
    [
      "declares an entity that is a file",
      docx(entity('SYSTEM "file:///etc/hostname"')),
      "input.invalid",
      /damaged XML/,
    ],
  ])("as DOCX: %s", async (_what, bytes, code, message) => {
    expect(bytes.byteLength).toBeLessThan(MOST_BYTES);
    await expect(parser.parse(bytes, "bomb.docx")).rejects.toMatchObject(refusal(message, code));
  });

  it.each([
    ["is its own page tree", [tree("2 0 R", 3)], /cannot be read as a PDF|no text/],
    [
      "has a page tree that goes round",
      [tree("3 0 R", 3), tree("2 0 R 2 0 R", 9)],
      /cannot be read as a PDF|no text/,
    ],
    ["says that it has a million pages", [tree("3 0 R", 1_000_000), PAGE], /has 1000000 pages|no text/],
    ["nests its arrays", ["[".repeat(1_000_000)], /cannot be read as a PDF/],
  ])("as PDF: %s", async (_what, objects, message) => {
    await expect(parser.parse(pdf([CATALOGUE, ...objects]), "bomb.pdf")).rejects.toMatchObject(
      refusal(message),
    );
  });
});

describe("a file that is made to fill the memory", { timeout: 120_000 }, () => {
  let parser: ParserProcess;
  beforeEach(() => {
    parser = start();
  });
  afterEach(() => parser.close());

  it("as DOCX: holds one name of 30 MB", async () => {
    const bytes = docx(`${START}<${"a".repeat(30_000_000)}`);
    expect(bytes.byteLength).toBeLessThan(MOST_BYTES);
    await expect(parser.parse(bytes, "bomb.docx")).rejects.toMatchObject(
      refusal(/needs more than 400 MB|damaged XML|not read within/),
    );
  });

  it.each([
    ["has a million pages", [tree("3 0 R ".repeat(1_000_000), 1_000_000), PAGE], /has 1000000 pages/],
    [
      "unpacks to a gigabyte",
      [tree("3 0 R", 1), `${PAGE.slice(0, -2)} /Contents 4 0 R >>`, bomb()],
      /needs more than 400 MB|no text/,
    ],
  ])("as PDF: %s", async (_what, objects, message) => {
    await expect(parser.parse(pdf([CATALOGUE, ...objects]), "bomb.pdf")).rejects.toMatchObject(
      refusal(message),
    );
  });
});

/** A bomb is small: what a mail may bring. */
const MOST_BYTES = 200_000;

const refusal = (message: RegExp, code = "input."): object => ({
  name: "InputError",
  code: expect.stringContaining(code) as string,
  message: expect.stringMatching(message) as string,
});

/** A small archive whose directory says that it holds so many bytes. */
function declaring(size: number): Uint8Array {
  const bytes = docx(START + END);
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  for (let at = 0; at + 4 < bytes.length; at += 1) {
    const mark = view.getUint32(at, true);
    if (mark === 0x04034b50) view.setUint32(at + 22, size, true);
    if (mark === 0x02014b50) view.setUint32(at + 24, size, true);
  }
  return bytes;
}

function entity(declaration: string): string {
  return `<!DOCTYPE w:document [<!ENTITY x ${declaration}>]>${START}<w:p><w:r><w:t>&x;</w:t></w:r></w:p>${END}`;
}

function laughs(levels: number): string {
  const names = Array.from({ length: levels }, (_, at) => `x${"y".repeat(at)}`).toReversed();
  const declared = names.map((name, at) => `<!ENTITY ${name} "${`&${names[at + 1] ?? "amp"};`.repeat(10)}">`);
  return entity('"x"').replace('[<!ENTITY x "x">]', `[${declared.join("")}]`);
}

/** Packed twice, so that the file is small; put together of blocks, so that making it needs no gigabyte. */
function bomb(): string {
  const block = deflateRawSync(Buffer.alloc(1_000_000, 32), { finishFlush: constants.Z_FULL_FLUSH });
  const end = Buffer.of(3, 0);
  const once = Buffer.concat([Buffer.of(0x78, 0x9c), ...Array.from({ length: 1_000 }, () => block), end]);
  return content(deflateSync(once), "/Filter [/FlateDecode /FlateDecode]");
}
