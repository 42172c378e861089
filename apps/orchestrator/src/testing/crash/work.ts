import { createHash } from "node:crypto";

/** What one step of a crash round is told to do. Everything it makes follows from this, so that it can be checked. */
export interface Work {
  /** Unique; names its file too. */
  readonly key: string;
  /** Milliseconds until it ends, or asks. */
  readonly pauseMs: number;
  readonly makesFile: boolean;
  /** Whether it asks a person before it answers. */
  readonly asks: boolean;
}

const WORDS = /^work key=(\S+) pause=(\d+) file=([01]) asks=([01])$/m;

export function wordsOf({ key, pauseMs, makesFile, asks }: Work): string {
  return `work key=${key} pause=${pauseMs} file=${makesFile ? 1 : 0} asks=${asks ? 1 : 0}`;
}

export function workOf(words: string): Work {
  const [, key = "", pauseMs, file, asks] = WORDS.exec(words) ?? [];
  if (key === "") throw new TypeError(`not the work of a crash round: "${words}"`);
  return { key, pauseMs: Number(pauseMs), makesFile: file === "1", asks: asks === "1" };
}

/** @param said what the person answered, where it asked */
export const answerOf = ({ key }: Work, said?: string): string =>
  said === undefined ? `The answer of ${key}.` : `The answer of ${key}, told ${said}.`;

export const fileName = ({ key }: Work): string => `${key}.txt`;

export const fileBytes = ({ key }: Work): Uint8Array => Buffer.from(`${key} ünïcödé 🌊\n`.repeat(2_000));

export const sha256 = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");
