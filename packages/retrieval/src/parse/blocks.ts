import { fenceAfter } from "./fences.ts";

const HEADING = /^ {0,3}#{1,6}[ \t]/;
const ITEM = /^\s*(?:[-*+]|\d{1,9}[.)])[ \t]/;
const ROW = /^\s*\|/;
const INDENTED = /^(?: {4}| {0,3}\t)/;
const INDENTED_TWICE = /^(?: {8}|\t\t)/;
/** A link definition that no link refers to is the usual comment of Markdown. */
const COMMENT = /^ {0,3}\[[^\]]*\]:[ \t]*(?:#|<>)[ \t]+(?:\(.*\)|".*"|'.*')[ \t]*$/;

/** A line of Markdown in its place among the lines before it. */
export interface BlockLine {
  /** It ends the paragraph, item or row before it. */
  readonly startsBlock: boolean;
  /** Of fenced or indented code. */
  readonly isCode: boolean;
  readonly isComment: boolean;
  readonly isHeading: boolean;
  /** The fence it leaves open. */
  readonly fence: string | undefined;
  /** The next line follows a blank one, code or a comment, so it can be indented code. */
  readonly beforeBlank: boolean;
  readonly inList: boolean;
}

/** What the first line follows. */
export const BEFORE_FIRST: BlockLine = {
  startsBlock: true,
  isCode: false,
  isComment: false,
  isHeading: false,
  fence: undefined,
  beforeBlank: true,
  inList: false,
};

export function readBlockLine(line: string, before: BlockLine): BlockLine {
  const fence = fenceAfter(line, before.fence);
  const isBlank = line.trim() === "";
  const isItem = ITEM.test(line);
  const isHeading = HEADING.test(line);
  const isCode =
    before.fence !== undefined ||
    fence !== undefined ||
    (!isBlank && before.beforeBlank && (before.inList ? INDENTED_TWICE : INDENTED).test(line));
  const isComment = !isCode && before.beforeBlank && COMMENT.test(line);
  return {
    startsBlock: before.isHeading || isCode || isComment || isBlank || isItem || isHeading || ROW.test(line),
    isCode,
    isComment,
    isHeading,
    fence,
    beforeBlank: isBlank || isCode || isComment,
    inList: isBlank || isCode ? before.inList : isItem || (before.inList && /^\s/.test(line)),
  };
}
