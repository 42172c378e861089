import type { ArtifactRef } from "@troupe/stream";

import { InputError } from "../errors/input-error.ts";
import { isImageFile, toModelImage } from "../images/load-images.ts";
import type { AgentRequest } from "../ports/agent.ts";
import type { ImageSource, ModelImage } from "../ports/model.ts";
import type { ReadImage } from "../ports/read-artifact.ts";
import { clip } from "../text/clip.ts";

/** Images of tools that a run keeps; the oldest are dropped, since no request has room for more. */
const MAX_OF_TOOLS = 200;

/**
 * The images that messages of one run may show: those of its request and those that its tools returned. Any other id is
 * refused. The store also checks that the owner of the run may read the file.
 */
export class RunImages implements ImageSource {
  readonly ofRequest: readonly ModelImage[];
  readonly #files = new Map<string, ArtifactRef>();
  readonly #ofTools = new Map<string, ArtifactRef>();
  readonly #read: ReadImage | undefined;
  readonly #owner: string;
  readonly #say: (text: string) => void;
  readonly #said = new Set<string>();

  constructor(
    { files = [], delegation }: Pick<AgentRequest, "files" | "delegation">,
    ofTools: readonly ArtifactRef[],
    options: {
      readonly read: ReadImage | undefined;
      readonly owner: string;
      /** Tells the person, once for each image that the model is not shown. */
      readonly say: (text: string) => void;
    },
  ) {
    for (const file of [...files, ...(delegation?.images ?? [])])
      if (isImageFile(file)) this.#files.set(file.id, file);
    this.ofRequest = [...this.#files.values()].map(toModelImage);
    for (const file of ofTools) this.#ofTools.set(file.id, file);
    this.#read = options.read;
    this.#owner = options.owner;
    this.#say = options.say;
  }

  get ofTools(): readonly ArtifactRef[] {
    return [...this.#ofTools.values()];
  }

  /** Registers the images of a tool result and returns them as references for the message. */
  take(files: readonly ArtifactRef[]): readonly ModelImage[] {
    for (const file of files) {
      this.#ofTools.delete(file.id);
      this.#ofTools.set(file.id, file);
    }
    for (const id of this.#ofTools.keys()) {
      if (this.#ofTools.size <= MAX_OF_TOOLS) break;
      this.#ofTools.delete(id);
    }
    return files.map(toModelImage);
  }

  async read(
    { id }: ModelImage,
    options: { readonly signal: AbortSignal; readonly maxBytes: number },
  ): Promise<Uint8Array> {
    const file = this.#files.get(id) ?? this.#ofTools.get(id);
    if (file === undefined) throw new InputError("input.not-found", "it is no image of this run");
    if (this.#read === undefined) throw new InputError("input.unsupported", "this agent keeps no files");
    return this.#read(file, { ...options, owner: this.#owner });
  }

  omitted({ id, name }: ModelImage, why: string): void {
    if (this.#said.has(id)) return;
    this.#said.add(id);
    this.#say(`The image ${clip(name, 100)} is not shown to the model: ${why}.`);
  }
}
