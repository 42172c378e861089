import { InputError } from "@troupe/core/errors";

export function tooManyPages(name: string, pages: number, limit: number): InputError {
  return new InputError(
    "input.too-large",
    `"${name}" has ${pages} pages; at most ${limit} are read. Split it into smaller files.`,
  );
}
