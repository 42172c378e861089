import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

import { systemClock } from "@troupe/core";
import { virtualClock } from "@troupe/core/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { DEFAULT_PARSE_LIMITS } from "../parse/parsed-document.ts";
import { tinyDocx } from "../testing/tiny-docx.ts";
import { tinyPdf } from "../testing/tiny-pdf.ts";
import { parserProcess, type ParserProcess, type ParserProcessOptions } from "./parser-process.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
let folder: string;
let parser: ParserProcess | undefined;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "parser-"));
});
afterEach(() => {
  parser?.close();
  rmSync(folder, { recursive: true });
});

function open(options: Partial<ParserProcessOptions> & { readonly program?: string } = {}): ParserProcess {
  const { program, ...rest } = options;
  const path = join(folder, "program.mjs");
  if (program !== undefined) writeFileSync(path, program);
  parser = parserProcess({
    clock: systemClock,
    limits: DEFAULT_PARSE_LIMITS,
    timeoutMs: 60_000,
    memoryMb: 1_024,
    ...(program === undefined ? {} : { entry: pathToFileURL(path) }),
    ...rest,
  });
  return parser;
}

/** Behaves for a good file, else as told. */
const program = (bad: string): string => `process.on("message", ({ id, name }) => {
  if (name === "good.md") process.send({ id, document: { title: "good" } });
  else { ${bad} }
});`;

describe("parserProcess", () => {
  it("reads every format, and errors cross the border as they are", async () => {
    const reader = open();
    expect((await reader.parse(bytes("# Main\n\ntext"), "a.md")).title).toBe("Main");
    expect((await reader.parse(tinyPdf([[{ text: "Hello there", y: 700 }]]), "a.pdf")).pages[0]?.text).toBe(
      "Hello there",
    );
    expect((await reader.parse(tinyDocx([{ text: "Hi" }]), "a.docx")).pages[0]?.text).toBe("Hi");
    await expect(reader.parse(bytes(""), "empty.md")).rejects.toMatchObject({
      code: "input.invalid",
      name: "InputError",
    });
  });

  it("starts again after a crash", async () => {
    const reader = open({ program: program("process.abort()") });
    const first = reader.parse(bytes("x"), "bad.pdf");
    const second = reader.parse(bytes("x"), "good.md");
    await expect(first).rejects.toThrow(/"bad\.pdf" made its reader stop/);
    await expect(second).resolves.toEqual({ title: "good" });
  });

  it("kills a reader that hangs when its time is over", async () => {
    const clock = virtualClock();
    const reader = open({ clock, program: program("for (;;) ;"), timeoutMs: 5_000 });
    const hanging = reader.parse(bytes("x"), "bad.pdf").catch((error: unknown) => error);
    await clock.advance(5_000);
    expect(await hanging).toMatchObject({
      code: "input.too-large",
      message: expect.stringContaining('"bad.pdf" was not read within 5 s') as string,
    });
    await expect(reader.parse(bytes("x"), "good.md")).resolves.toEqual({ title: "good" });
  });

  it("stops a reader whose heap grows without end", async () => {
    const reader = open({
      program: program("const all = []; for (;;) all.push([1, 2, 3]);"),
      memoryMb: 64,
    });
    await expect(reader.parse(bytes("x"), "bad.pdf")).rejects.toMatchObject({ name: "InputError" });
    await expect(reader.parse(bytes("x"), "good.md")).resolves.toEqual({ title: "good" });
  });

  it("gives it no environment and no way to write or to start programs", async () => {
    const reader = open({
      program: `import { writeFileSync } from "node:fs";
        process.on("message", ({ id }) => {
          const blocked = [];
          try { writeFileSync(${JSON.stringify(join(folder, "x"))}, "x"); } catch (error) { blocked.push(error.code); }
          process.send({ id, document: { blocked, env: Object.keys(process.env).filter((key) => !key.startsWith("NODE_")) } });
        });`,
    });
    await expect(reader.parse(bytes("x"), "any.md")).resolves.toEqual({
      blocked: ["ERR_ACCESS_DENIED"],
      env: [],
    });
  });
});
