import { lstat, readdir, readFile } from "node:fs/promises";
import { join, resolve } from "node:path";

import { AgentError, isTroupeError, ToolError, type Log } from "@troupe/core";
import type { Skill } from "@troupe/core/middleware";
import { parse } from "yaml";
import { z } from "zod";

const MAX_SKILLS = 50;
const MAX_FILES = 200;
const MAX_DEPTH = 4;
const MAX_INSTRUCTIONS = 64 * 1024;
const MAX_FILE = 256 * 1024;

const FRONT = /^---\r?\n([\s\S]*?)\r?\n---\r?\n?/;

const headSchema = z.object({
  name: z
    .string()
    .regex(
      /^[a-z0-9][a-z0-9-]{0,63}$/,
      "must be 1 to 64 lower-case letters, digits or -, such as write-letters",
    ),
  description: z.string().trim().min(1).max(1024),
});

/**
 * Reads skills from folders that hold a `SKILL.md`, or hold such folders. Throws an `AgentError`
 * (`agent.config`) that names the folder or file that cannot be used. Hidden files and links are left out, and
 * so are files that are not UTF-8 text or too large; the log names those.
 */
export async function readSkills(folders: readonly string[], log: Log): Promise<readonly Skill[]> {
  const skills: Skill[] = [];
  for (const folder of folders) {
    const root = resolve(folder);
    const found = await skillFolders(root);
    if (found.length === 0)
      throw invalid(
        root,
        'has no SKILL.md, and no folder in it has one. Each skill is a folder with a "SKILL.md".',
      );
    for (const one of found) skills.push(await readSkill(one, log));
  }
  if (skills.length > MAX_SKILLS)
    throw new AgentError("agent.config", `There are ${skills.length} skills; the limit is ${MAX_SKILLS}.`);
  const names = skills.map(({ name }) => name);
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined) throw new AgentError("agent.config", `Two skills have the name "${twice}".`);
  return skills;
}

async function skillFolders(root: string): Promise<readonly string[]> {
  if (await isFile(join(root, "SKILL.md"))) return [root];
  const entries = await readdir(root, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    throw invalid(root, `cannot be read (${error.code ?? error.message}).`);
  });
  const inside = entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(root, name));
  const has = await Promise.all(inside.map(async (folder) => isFile(join(folder, "SKILL.md"))));
  return inside.filter((_, at) => has[at]).toSorted();
}

async function readSkill(folder: string, log: Log): Promise<Skill> {
  const file = join(folder, "SKILL.md");
  const text = await readText(file, MAX_INSTRUCTIONS);
  const [front = "", head = ""] = FRONT.exec(text) ?? [];
  if (front === "") throw invalid(file, "must begin with a --- block that has name and description.");
  const { name, description } = readHead(file, head);
  const files: string[] = [];
  for (const one of await filesOf(folder)) {
    try {
      await readText(join(folder, one), MAX_FILE);
      files.push(one);
    } catch (error) {
      log.warn("a file of a skill is left out", { skill: name, file: one, reason: reasonOf(error) });
    }
  }
  return {
    name,
    description,
    instructions: text.slice(front.length).trim(),
    files,
    readFile: async (wanted) => {
      if (!files.includes(wanted)) throw unreadable(name, wanted, "it is not a file of this skill");
      try {
        return await readText(join(folder, wanted), MAX_FILE);
      } catch (error) {
        const reason = reasonOf(error);
        log.warn("a file of a skill cannot be read", { skill: name, file: wanted, reason });
        throw unreadable(name, wanted, "it changed after the agent started");
      }
    },
  };
}

function readHead(file: string, text: string): z.output<typeof headSchema> {
  let value: unknown;
  try {
    value = parse(text);
  } catch (cause) {
    throw invalid(file, `has a --- block that is not YAML: ${(cause as Error).message}`);
  }
  const parsed = headSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.map(
    ({ path, message }) => `${path.join(".") || "the block"}: ${message}`,
  );
  throw invalid(file, `has a --- block that cannot be used: ${issues.join("; ")}`);
}

/** Names of the plain files of a skill, with `/` between folders. */
async function filesOf(root: string, within = "", depth = 0): Promise<readonly string[]> {
  const files: string[] = [];
  for (const entry of await readdir(join(root, within), { withFileTypes: true })) {
    const name = within === "" ? entry.name : `${within}/${entry.name}`;
    if (entry.name.startsWith(".") || name === "SKILL.md") continue;
    if (entry.isFile()) files.push(name);
    else if (entry.isDirectory() && depth < MAX_DEPTH) files.push(...(await filesOf(root, name, depth + 1)));
  }
  if (files.length > MAX_FILES) throw invalid(root, `has more than ${MAX_FILES} files.`);
  return files.toSorted();
}

/** Checks again that it is a plain file: a link may have taken its place. */
async function readText(path: string, maxBytes: number): Promise<string> {
  const { size } = await lstat(path);
  if (!(await isFile(path))) throw invalid(path, "is no plain file.");
  if (size > maxBytes) throw invalid(path, `has ${size} bytes; the limit is ${maxBytes}.`);
  const bytes = await readFile(path);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw invalid(path, "is not UTF-8 text.");
  }
}

async function isFile(path: string): Promise<boolean> {
  return lstat(path).then(
    (found) => found.isFile(),
    () => false,
  );
}

const reasonOf = (error: unknown): string =>
  isTroupeError(error) ? error.message : ((error as NodeJS.ErrnoException).code ?? String(error));

/** Models and clients read it, so it has no path of this machine. */
const unreadable = (skill: string, file: string, why: string): ToolError =>
  new ToolError("tool.failed", `The file "${file}" of the skill "${skill}" cannot be read: ${why}.`);

const invalid = (path: string, why: string): AgentError => new AgentError("agent.config", `"${path}" ${why}`);
