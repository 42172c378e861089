import { readSubject, withSubject } from "./subject-line.ts";

const CHANGE = "Then asked: ";

/**
 * The instruction of work that was done before, with what a person asked of it since in a line of its own.
 * `readChanges` reads it back; a subject line stays the last one.
 */
export function withChange(instruction: string, change: string): string {
  const line = `${CHANGE}${change.replaceAll(/\s+/g, " ").trim()}`;
  const subject = readSubject(instruction);
  if (subject === undefined) return `${instruction}\n${line}`;
  return withSubject(`${instruction.slice(0, instruction.lastIndexOf("\n"))}\n${line}`, subject);
}

/** What was asked first, and each change since, oldest first; the lines stand at its end. */
export function readChanges(instruction: string): {
  readonly first: string;
  readonly changes: readonly string[];
} {
  const lines = instruction.split("\n");
  if (readSubject(instruction) !== undefined) lines.pop();
  let end = lines.length;
  while (end > 1 && lines[end - 1]?.startsWith(CHANGE) === true) end--;
  const changes = lines.slice(end).map((line) => line.slice(CHANGE.length));
  return { first: lines.slice(0, end).join("\n"), changes };
}
