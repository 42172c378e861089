import type { Message, Part } from "@a2a-js/sdk";
import { ContentTypeNotSupportedError } from "@a2a-js/sdk/errors";
import { isTroupeError, type ArtifactStore } from "@troupe/core";

import { EXT } from "../wire/extension.ts";
import { storedFilePart, unmarkedPart } from "../wire/file-part.ts";
import { isObject } from "../wire/json.ts";
import { LimitError } from "./limits/limit-error.ts";

export interface LandingOptions {
  /** Absent where an agent takes files by address only. */
  readonly files: ArtifactStore | undefined;
  /** Who was authenticated; undefined where nobody is. */
  readonly user: string | undefined;
}

/**
 * A message whose files all stand at an address: what came by value is put into the store, so that no
 * task keeps it, and an address of our own store is known for the caller's file that it is. Nothing is
 * fetched from any other address. The same message again leads to the same files.
 *
 * @throws A2AError for a file by value where there is no store, or none left in it
 */
export async function landFiles(
  message: Message | undefined,
  { files, user }: LandingOptions,
): Promise<Message | undefined> {
  if (message === undefined) return undefined;
  const owner = user ?? claimedUser(message);
  const land = async (part: Part, at: number): Promise<Part> => {
    const { content } = part;
    const plain = unmarkedPart(part);
    if (content?.$case === "url") {
      const id = /\/artifacts\/([0-9a-f]{32})(?:[/?#]|$)/.exec(content.value)?.[1];
      if (id === undefined || files === undefined) return plain;
      const found = await (user === undefined ? files.find(id) : files.get(id, user));
      return found === undefined ? plain : storedFilePart(found.ref, plain);
    }
    if (content?.$case !== "raw") return plain;
    if (files === undefined)
      throw new ContentTypeNotSupportedError(
        `message.parts[${at}] is a file, and this agent reads no files; send what it needs to know as text or data.`,
      );
    const { filename, mediaType } = part;
    const meta = { name: filename || "file", mediaType: mediaType || "application/octet-stream", owner };
    return storedFilePart(await put(files, content.value, meta), plain);
  };
  const parts: Part[] = [];
  for (const [at, part] of message.parts.entries()) parts.push(await land(part, at));
  return { ...message, parts };
}

async function put(files: ArtifactStore, bytes: Uint8Array, meta: Parameters<ArtifactStore["put"]>[1]) {
  try {
    return await files.put(bytes, meta);
  } catch (error) {
    if (isTroupeError(error) && error.code === "store.full")
      throw new LimitError("TOO_LARGE", error.message, { limit: bytes.byteLength });
    throw error;
  }
}

/** As the agent will read it: where nobody is authenticated a caller is who it says. */
function claimedUser({ metadata }: Message): string {
  const said: unknown = metadata?.[EXT];
  const user = isObject(said) ? said["userId"] : undefined;
  return typeof user === "string" ? user : "";
}
