import type { ErrorInfo, ResponseData } from "@troupe/stream";

import { isList, isObject } from "../schemas/json-value.ts";
import { clip } from "../text/clip.ts";

/** A statement in a file that its sources do not support, from `unverified` in the data of the tool that made it. */
export interface UnverifiedStatement {
  readonly slide?: number;
  readonly place?: string;
  readonly statement: string;
  /** What was not found, such as `71 % was not found`. */
  readonly problem: string;
  /** False where there were no sources to compare with. */
  readonly compared: boolean;
}

const MAX_NAMED = 3;
const MAX_STATEMENT = 160;

/** The statements that tools list as `unverified` in their data. */
export function unverifiedStatements(data: ResponseData | null): readonly UnverifiedStatement[] {
  return Object.values(data ?? {}).flatMap((found) => {
    if (!isObject(found) || !isList(found["unverified"])) return [];
    const compared = found["compared"] !== false;
    return found["unverified"].flatMap((one) => {
      if (!isObject(one) || typeof one["statement"] !== "string") return [];
      const { slide, place, statement, problem } = one;
      return [
        {
          ...(typeof slide === "number" && { slide }),
          ...(typeof place === "string" && { place }),
          statement,
          problem: typeof problem === "string" ? problem : "",
          compared,
        },
      ];
    });
  });
}

/** Adds unverified statements to the error of a run, which keeps its code. Undefined if there is neither. */
export function withUnverifiedStatements(
  error: ErrorInfo | undefined,
  unverified: readonly UnverifiedStatement[],
): ErrorInfo | undefined {
  if (unverified.length === 0) return error;
  const lines = unverified.slice(0, MAX_NAMED).map(({ slide, place = "", statement, problem }) => {
    const where = [...(slide === undefined ? [] : [`slide ${slide}`]), ...(place === "" ? [] : [place])].join(
      ", ",
    );
    const text = clip(statement.trim().replaceAll(/\s+/g, " "), MAX_STATEMENT);
    return `- ${where === "" ? "" : `${where}: `}"${text}" (${clip(problem, MAX_STATEMENT)})`;
  });
  if (unverified.length > MAX_NAMED) lines.push(`- and ${unverified.length - MAX_NAMED} more`);
  const count =
    unverified.length === 1 ? "1 statement of a file is" : `${unverified.length} statements of a file are`;
  const reason = [`${count} not in its sources.`, ...lines].join("\n");
  return error === undefined
    ? { code: "agent.unverified", message: reason }
    : { ...error, message: `${error.message}\n${reason}` };
}

/** Text in quotes; bounded, so that unclosed quotes cost linear time. */
const QUOTED = /[“"„«]([^“”"„«»]{2,400})[”"“»]/g;
/** Fewer quoted words could be a name or a term. */
const MIN_QUOTED_WORDS = 3;

/**
 * Whether a sentence of an answer reports such a statement: it repeats its words and names its slide number, or it
 * quotes all of the statement or at least three words of it.
 */
export function reportsStatement(sentence: string, unverified: readonly UnverifiedStatement[]): boolean {
  const plain = (text: string): string =>
    text
      .replaceAll(/[*_`\s]+/g, " ")
      .replace(/[.…]+$/, "")
      .trim();
  const said = plain(sentence);
  const quotes = [...said.matchAll(QUOTED)].map(([, words = ""]) => plain(words));
  return unverified.some(({ slide, statement }) => {
    const words = plain(statement);
    if (words === "") return false;
    const isQuoted = quotes.some(
      (quote) => quote === words || (words.includes(quote) && quote.split(" ").length >= MIN_QUOTED_WORDS),
    );
    if (isQuoted) return true;
    const numbers: readonly string[] = said.replace(words, " ").match(/\d+/g) ?? [];
    return said.includes(words) && slide !== undefined && numbers.includes(String(slide));
  });
}
