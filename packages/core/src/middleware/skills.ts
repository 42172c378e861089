import { z } from "zod";

import type { Tool } from "../ports/tool.ts";
import { clip } from "../text/clip.ts";
import { suggestNames } from "../text/nearest-names.ts";
import { defineTool } from "../tools/define-tool.ts";
import type { Middleware } from "./middleware.ts";

const MAX_DESCRIPTION = 300;
const LOAD = "load_skill";

/** Instructions for one kind of work, with files that belong to it. */
export interface Skill {
  /** Unique among the skills of an agent. */
  readonly name: string;
  /** When to use it. The model sees this in every request. */
  readonly description: string;
  /** What the model reads once it has loaded the skill. */
  readonly instructions: string;
  /** Names of its files, such as `templates/letter.md`. */
  readonly files: readonly string[];
  /** Reads one of `files`; it is never called with another name. */
  readFile(name: string): Promise<string>;
}

/**
 * Puts the names and descriptions of skills before the model, which loads one with the tool `load_skill` and
 * reads its files with `read_skill_file`. Files are found by their listed names only.
 */
export function skills(list: readonly Skill[]): Middleware {
  if (list.length === 0) return { name: "skills" };
  const lines = list.map(({ name, description }) => `- ${name}: ${oneLine(description)}`);
  const text = `Skills: instructions for particular work. Before you do such work, load the skill with ${LOAD} and follow it:\n${lines.join("\n")}`;
  return {
    name: "skills",
    tools: skillTools(list),
    beforeModel: (request) =>
      // A step may allow other tools only.
      request.tools.some(({ name }) => name === LOAD)
        ? { ...request, system: `${request.system}\n\n${text}` }
        : request,
  };
}

function skillTools(list: readonly Skill[]): readonly Tool[] {
  const byName = new Map(list.map((skill) => [skill.name, skill]));
  const unknown = (name: string) => ({
    isError: true,
    text: `There is no skill "${clip(name, 80)}".${suggestNames(name, [...byName.keys()])}`,
  });
  const load = defineTool({
    name: LOAD,
    description: "Returns the instructions of a skill, and the names of its files.",
    input: z.object({ name: z.string().describe("Name of the skill") }),
    idempotent: true,
    async execute({ name }) {
      const skill = byName.get(name);
      if (skill === undefined) return unknown(name);
      const files =
        skill.files.length === 0
          ? ""
          : `\n\nFiles, for read_skill_file:\n${skill.files.map((file) => `- ${file}`).join("\n")}`;
      return { text: `${skill.instructions}${files}`, summary: `Loaded the skill ${name}` };
    },
  });
  const read = defineTool({
    name: "read_skill_file",
    description: "Returns the text of a file that belongs to a skill.",
    input: z.object({
      skill: z.string().describe("Name of the skill"),
      file: z.string().describe("Name of the file, as load_skill lists it"),
    }),
    idempotent: true,
    async execute({ skill: name, file }) {
      const skill = byName.get(name);
      if (skill === undefined) return unknown(name);
      if (!skill.files.includes(file))
        return {
          isError: true,
          text: `The skill "${name}" has no file "${clip(file, 80)}".${suggestNames(file, skill.files)}`,
        };
      return { text: await skill.readFile(file), summary: `Read ${file} of the skill ${name}` };
    },
  });
  return list.some(({ files }) => files.length > 0) ? [load, read] : [load];
}

const oneLine = (text: string): string => clip(text.replaceAll(/\s+/g, " ").trim(), MAX_DESCRIPTION);
