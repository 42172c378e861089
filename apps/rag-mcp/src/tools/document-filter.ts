import { InputError, nearestNames, type ToolContext } from "@troupe/core";
import type { DocumentInfo, Retriever } from "@troupe/retrieval";
import { z } from "zod";

import { inline, nameOf } from "./present.ts";

const DATE = /^\d{4}(?:-\d{2}(?:-\d{2})?)?$/;

/** A year, a month or a day. */
export function dateArgument(name: string): z.ZodOptional<z.ZodString> {
  return z
    .string()
    .max(10)
    .refine(
      (date) => DATE.test(date),
      `must be a year, month or day, such as ${name}: "2025-03" or ${name}: "2025-03-01".`,
    )
    .optional();
}

export interface PickedDocuments {
  readonly ids: readonly string[];
  /** Number of documents left out because they have no date. */
  readonly undated: number;
}

/**
 * The documents that a search is restricted to; undefined without a restriction. Throws an `InputError` for an unknown
 * document, with the nearest ones.
 */
export async function pickDocuments(
  index: Pick<Retriever, "documents">,
  { collection }: { readonly collection?: string },
  filter: {
    readonly documents?: readonly string[] | undefined;
    readonly from?: string | undefined;
    readonly to?: string | undefined;
  },
): Promise<PickedDocuments | undefined> {
  const { documents: wanted, from, to } = filter;
  if (wanted === undefined && from === undefined && to === undefined) return undefined;
  const all = await index.documents(collection);
  const named =
    wanted === undefined ? all : [...new Set(wanted.flatMap((name) => documentsCalled(name, all)))];
  if (from === undefined && to === undefined)
    return { ids: named.map(({ documentId }) => documentId), undated: 0 };
  const dated = named.filter(({ published }) => published !== undefined);
  return {
    ids: dated
      .filter(({ published = "" }) => isFrom(published, from) && isUntil(published, to))
      .map(({ documentId }) => documentId),
    undated: named.length - dated.length,
  };
}

/** Compares only the parts that both dates have: a document of 2025 may be from March. */
function isFrom(published: string, from = ""): boolean {
  const length = Math.min(published.length, from.length);
  return published.slice(0, length) >= from.slice(0, length);
}

function isUntil(published: string, to = ""): boolean {
  const length = Math.min(published.length, to.length);
  return published.slice(0, length) <= to.slice(0, length);
}

/** By id, else by title or file, else by a part of either, which editions of one document share. */
function documentsCalled(name: string, all: readonly DocumentInfo[]): readonly DocumentInfo[] {
  const folded = foldName(name);
  const tests: readonly ((document: DocumentInfo) => boolean)[] = [
    ({ documentId }) => documentId === name,
    (document) => isCalled(document, folded),
    ({ title, source }) => foldName(`${title} ${source}`).includes(folded),
  ];
  for (const test of tests) {
    const found = all.filter(test);
    if (found.length > 0) return found;
  }
  throw noDocument("documents", name, all);
}

const isCalled = ({ title, source }: DocumentInfo, folded: string): boolean =>
  [title, source, source.split("/").at(-1) ?? ""].some((one) => foldName(one) === folded);

/** Form of the ids that the index assigns. */
const DOCUMENT_ID = /^[0-9a-f]{16}$/;

/** What `document_id` of a tool takes. */
export const documentArgument = z.string().trim().min(1).max(300).describe("Id, file name or title");

/**
 * The id of the document with this id, file name or title, ignoring case. If several have the name, the one in the
 * collection of the request. Throws an `InputError` that suggests names or ids if no document or several fit.
 */
export async function documentIdOf(
  index: Pick<Retriever, "documents">,
  name: string,
  { collectionId }: Pick<ToolContext, "collectionId">,
): Promise<string> {
  if (DOCUMENT_ID.test(name)) return name;
  const all = await index.documents();
  if (all.some(({ documentId }) => documentId === name)) return name;
  const folded = foldName(name);
  const named = all.filter((document) => isCalled(document, folded));
  const inCollection = named.filter(({ collection }) => collection === collectionId);
  const [found, ...others] = inCollection.length > 0 ? inCollection : named;
  if (found === undefined) throw noDocument("document_id", name, all);
  if (others.length === 0) return found.documentId;
  const shown = [found, ...others].slice(0, 5).map((one) => `${nameOf(one)}, document_id ${one.documentId}`);
  throw new InputError(
    "input.invalid",
    `document_id: ${others.length + 1} documents are called "${inline(name.slice(0, 100))}". Give the id: ${shown.join("; ")}.`,
  );
}

function noDocument(argument: string, name: string, all: readonly DocumentInfo[]): InputError {
  const namesOf = ({ title, source }: DocumentInfo): readonly string[] => [
    title,
    source.split("/").at(-1) ?? source,
  ];
  const near = nearestNames(name, all.flatMap(namesOf));
  const shown = all.filter((one) => namesOf(one).some((called) => near.includes(called))).slice(0, 5);
  const example = (shown.length > 0 ? shown : all.slice(0, 5)).map(nameOf).join(", ");
  return new InputError(
    "input.not-found",
    `${argument}: there is no document "${name.slice(0, 100)}". ${example === "" ? "There are no documents yet." : `${shown.length > 0 ? "Nearest" : "There is, among others"}: ${example}.`} Give ids, file names or titles of rag_list_documents.`,
  );
}

/** For comparison without regard to case and spaces; brackets are the round ones in which names are shown. */
export const foldName = (text: string): string => inline(text).normalize("NFKC").toLowerCase().trim();
