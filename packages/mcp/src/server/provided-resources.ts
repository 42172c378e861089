import type { Resource, ResourceTemplate } from "@modelcontextprotocol/sdk/types.js";

/** The user for whom a client lists or reads resources. */
export interface ResourceCaller {
  readonly userId?: string;
}

export interface ResourceText {
  readonly uri: string;
  readonly mimeType: string;
  readonly text: string;
}

/** What a server offers to read beside the files of its tools. */
export interface ResourceProvider {
  readonly templates: readonly Pick<
    ResourceTemplate,
    "uriTemplate" | "name" | "title" | "description" | "mimeType"
  >[];
  /** What the caller may read, in a stable order; it is handed out in pages. */
  list(caller: ResourceCaller): Promise<readonly Resource[]>;
  /** Undefined for an address that does not exist for this caller. */
  read(uri: string, caller: ResourceCaller): Promise<readonly ResourceText[] | undefined>;
}
