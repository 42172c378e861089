import {
  imagesOf,
  loadImages,
  type ImageSource,
  type LoadedImage,
  type Log,
  type ModelMessage,
} from "@troupe/core";

export type LoadedMessage = ModelMessage<LoadedImage>;

/** Refused images that are remembered; an older one is sent once more. */
const MAX_REFUSED = 1_000;
const STATUSES: ReadonlySet<unknown> = new Set([400, 404, 415, 422, 500, 501]);
/** Messages of servers that refuse images; servers that take only text do not name images. */
const NAMED =
  /\bimages?\b|image_url|\bvision\b|multi-?modal|content.{0,60}(?:string|expected .?text|literal_error|content part)/is;

/** The images of the requests to one model. */
export interface CallImages {
  /** The messages with their images, read and checked; see `loadImages` of core. */
  load(
    messages: readonly ModelMessage[],
    source: ImageSource | undefined,
    signal: AbortSignal,
  ): Promise<readonly LoadedMessage[]>;
  /**
   * Whether the server refused these messages because of their images. If so, the images are left out from now on, and
   * the request can be sent once more.
   */
  refused(error: unknown, messages: readonly LoadedMessage[]): boolean;
}

export function callImages(options: {
  /** False for a model that takes none. */
  readonly vision: boolean;
  readonly model: string;
  readonly log: Log;
}): CallImages {
  const refused = new Set<string>();
  const whyNot = ({ id }: { readonly id: string }): string | undefined => {
    if (!options.vision) return "this model takes no images";
    return refused.has(id) ? "the model or its server refused it" : undefined;
  };
  return {
    load: (messages, source, signal) => loadImages(messages, source, { signal, skip: whyNot }),
    refused(error, messages) {
      const shown = messages
        .flatMap((message) => imagesOf(message))
        .filter(({ content }) => content !== undefined);
      if (shown.length === 0 || !refusesImages(error)) return false;
      for (const { id } of shown) refused.add(id);
      for (const id of refused) {
        if (refused.size <= MAX_REFUSED) break;
        refused.delete(id);
      }
      options.log.warn(
        "the model refuses a request with images, asking it again without them; set TROUPE_VISION=false if it takes none",
        { model: options.model, images: shown.length },
      );
      return true;
    },
  };
}

function refusesImages(error: unknown): boolean {
  const { status, message } = error as { readonly status?: unknown; readonly message?: unknown };
  // Too large; it may be small enough without images.
  if (status === 413) return true;
  return STATUSES.has(status) && typeof message === "string" && NAMED.test(message);
}
