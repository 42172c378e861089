import { readFileSync } from "node:fs";

/** A page of the documentation, by its path from the root of the repository. */
export function readPage(path: string): string {
  return readFileSync(new URL(`../../../${path}`, import.meta.url), "utf8");
}

/** The rows of the table under a heading, without its head; a cell that is one backticked word without its backticks. */
export function tableUnder(page: string, heading: string): readonly (readonly string[])[] {
  const section = page.split(/^(?=#)/m).find((part) => part.startsWith(heading));
  if (section === undefined) throw new Error(`there is no "${heading}"`);
  return section
    .split("\n")
    .filter((line) => line.startsWith("|"))
    .slice(2)
    .map((line) => cellsOf(line));
}

function cellsOf(line: string): readonly string[] {
  return line
    .slice(1, -1)
    .split("|")
    .map((cell) => cell.trim().replace(/^`([^`]*)`$/, "$1"));
}
