import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

import { isTroupeError, silentLog } from "@troupe/core";
import { afterEach, beforeEach, expect, it } from "vitest";

import { readSkills } from "./read-skills.ts";

let root = "";
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "troupe-skills-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function write(name: string, text: string | Buffer): void {
  mkdirSync(dirname(join(root, name)), { recursive: true });
  writeFileSync(join(root, name), text);
}
const head = (name: string): string =>
  `---\nname: ${name}\ndescription: >\n  How we write\n  ${name}.\n---\n`;

it("reads a folder of skills, each with its instructions and files", async () => {
  write("letters/SKILL.md", `${head("letters")}\n# Letters\n\nBegin with the letterhead.\n`);
  write("letters/templates/head.md", "Norrvik AS");
  write("letters/.hidden", "x");
  write("minutes/SKILL.md", `${head("minutes")}Short.`);
  write("other/README.md", "no skill");
  const [letters, minutes] = await readSkills([root], silentLog);
  expect(letters).toMatchObject({
    name: "letters",
    description: "How we write letters.",
    instructions: "# Letters\n\nBegin with the letterhead.",
    files: ["templates/head.md"],
  });
  expect(await letters?.readFile("templates/head.md")).toBe("Norrvik AS");
  expect(minutes).toMatchObject({ name: "minutes", files: [] });
  expect(await readSkills([join(root, "minutes")], silentLog)).toHaveLength(1);
});

it("reads files of the folder by their listed names only, and follows no links", async () => {
  write("secret.txt", "secret");
  write("letters/SKILL.md", head("letters"));
  symlinkSync(join(root, "secret.txt"), join(root, "letters", "link.txt"));
  const [letters] = await readSkills([join(root, "letters")], silentLog);
  expect(letters?.files).toEqual([]);
  for (const name of ["link.txt", "../secret.txt", join(root, "secret.txt")])
    await expect(letters?.readFile(name)).rejects.toThrow("it is not a file of this skill.");
  write("letters/late.txt", "x");
  const [again] = await readSkills([join(root, "letters")], silentLog);
  rmSync(join(root, "letters", "late.txt"));
  symlinkSync(join(root, "secret.txt"), join(root, "letters", "late.txt"));
  await expect(again?.readFile("late.txt")).rejects.toThrow(
    'The file "late.txt" of the skill "letters" cannot be read: it changed after the agent started.',
  );
});

it("leaves out files that no model can read, and names no folder of the machine to it", async () => {
  write("letters/SKILL.md", head("letters"));
  write("letters/logo.png", Buffer.from([0x89, 0x50, 0xff, 0xfe]));
  write("letters/large.txt", "x".repeat(256 * 1024 + 1));
  write("letters/late.txt", "x");
  const warned: unknown[] = [];
  const log = { ...silentLog, warn: (_message: string, fields: unknown) => void warned.push(fields) };
  const [letters] = await readSkills([root], log);
  expect(letters?.files).toEqual(["late.txt"]);
  expect(warned).toMatchObject([
    { skill: "letters", file: "large.txt", reason: expect.stringContaining("262145 bytes") as unknown },
    { skill: "letters", file: "logo.png", reason: expect.stringContaining("is not UTF-8 text") as unknown },
  ]);
  rmSync(join(root, "letters", "late.txt"));
  for (const name of ["late.txt", "logo.png"]) {
    const error: unknown = await letters?.readFile(name).catch((thrown: unknown) => thrown);
    expect(isTroupeError(error) && error.message).toContain(`The file "${name}" of the skill "letters"`);
    expect(isTroupeError(error) && error.message).not.toContain(root);
  }
});

it.each([
  ["no block", "Write.", /SKILL\.md" must begin with a --- block/],
  [
    "a name no skill can have",
    "---\nname: Our Letters\ndescription: x\n---\n",
    /name: must be 1 to 64 lower-case/,
  ],
  ["no description", "---\nname: a\n---\n", /description: /],
  ["a block that is not YAML", "---\nname: [a\n---\n", /is not YAML/],
  ["bytes that are no text", Buffer.from([0x2d, 0xff, 0xfe]), /is not UTF-8 text/],
])("refuses a SKILL.md with %s, by its path", async (_, text, message) => {
  write("a/SKILL.md", text);
  await expect(readSkills([root], silentLog)).rejects.toThrow(message);
});

it("refuses folders without skills, and two skills of one name", async () => {
  await expect(readSkills([root], silentLog)).rejects.toThrow("has no SKILL.md, and no folder in it has one");
  await expect(readSkills([join(root, "gone")], silentLog)).rejects.toThrow("cannot be read (ENOENT)");
  write("a/SKILL.md", head("letters"));
  write("b/SKILL.md", head("letters"));
  await expect(readSkills([root], silentLog)).rejects.toThrow('Two skills have the name "letters"');
});
