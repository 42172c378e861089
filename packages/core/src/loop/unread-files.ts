import type { UnreadFile } from "../ports/delegation.ts";
import { clip } from "../text/clip.ts";

const MAX_FILES = 10;
const MAX_NAME = 100;
const MAX_URL = 200;

/** A sentence for each file that was not read, ten at most. */
export function unreadFileNotes(files: readonly UnreadFile[]): readonly string[] {
  const notes = files.slice(0, MAX_FILES).map(({ name, url }) => {
    const address = clip(url, MAX_URL);
    const file = name === "" ? address : `${clip(name, MAX_NAME)} (${address})`;
    return `The file ${file} was not read: this agent fetches nothing from addresses in messages.`;
  });
  if (files.length > MAX_FILES) notes.push(`${files.length - MAX_FILES} more files were not read.`);
  return notes;
}
