import { isTroupeError } from "../errors/troupe-error.ts";
import type { ImageSource, ModelImage, ModelMessage } from "../ports/model.ts";
import { clip } from "../text/clip.ts";
import { readImageFormat, type ImageMediaType } from "./image-format.ts";

const MIB = 1024 * 1024;

/**
 * What fits into one request of every provider. Anthropic takes 5 MiB of base64 for an image, 8,000 pixels along an edge
 * where a request has at most 20 images, and 32 MB for the request; OpenAI takes more.
 */
export const IMAGE_LIMITS = {
  /** Images in one request. */
  images: 20,
  /** Bytes of one image: 5 MiB as base64. */
  imageBytes: 3.75 * MIB,
  /** Bytes of all images of a request. */
  totalBytes: 16 * MIB,
  /** Pixels along an edge. */
  edge: 8_000,
} as const;

/**
 * Beyond the limits the oldest images are left out until this part of them is used. Without it, every further image
 * would change the beginning of the conversation, and with it all that the provider has cached.
 */
const TARGET = 0.75;
const MAX_NAME = 120;

/** An image as it is sent, or the text sent instead. */
export interface LoadedImage {
  readonly id: string;
  /** Name, type and size, shown before the image; without `content`, the text shown instead of it. */
  readonly text: string;
  readonly content?: { readonly mediaType: ImageMediaType; readonly bytes: Uint8Array };
}

export interface LoadImagesOptions {
  readonly signal: AbortSignal;
  /** Why an image is not to be shown, such as "this model takes no images"; undefined shows it. */
  readonly skip?: (image: ModelImage) => string | undefined;
}

/**
 * Reads and checks the images of the messages: PNG, JPEG, GIF and WebP within `IMAGE_LIMITS`. A text with the reason
 * replaces each image that cannot be shown, and the oldest images beyond the limits of a request. Which images these are
 * depends only on the messages and their order. Rejects only with the reason of the signal.
 */
export async function loadImages(
  messages: readonly ModelMessage[],
  source: ImageSource | undefined,
  { signal, skip = () => undefined }: LoadImagesOptions,
): Promise<readonly ModelMessage<LoadedImage>[]> {
  const images = messages.flatMap((message) => imagesOf(message));
  if (images.length === 0) return messages.map((message) => withImages(message, () => []));
  const omitted = new Map<ModelImage, string>();
  for (const image of images) {
    const why = skip(image) ?? (image.bytes > IMAGE_LIMITS.imageBytes ? tooLarge(image.bytes) : undefined);
    if (why !== undefined) omitted.set(image, why);
  }
  const loaded = new Map<ModelImage, LoadedImage>();
  // Declared sizes may be wrong, so the bytes that were read are counted too, newest image first.
  let left: number = IMAGE_LIMITS.totalBytes;
  for (const image of newest(images.filter((one) => !omitted.has(one))).toReversed()) {
    const content = await readChecked(image, source, signal);
    if (typeof content === "string") omitted.set(image, content);
    else if (content.bytes.byteLength <= left) {
      left -= content.bytes.byteLength;
      loaded.set(image, { id: image.id, text: `${named(image)}:`, content });
    }
  }
  signal.throwIfAborted();
  for (const [image, why] of omitted) source?.omitted?.(image, why);
  return messages.map((message) =>
    withImages(message, (list) =>
      list.map((image) => loaded.get(image) ?? inPlaceOf(image, omitted.get(image))),
    ),
  );
}

/** The images of a message, in order. */
export function imagesOf<Image>(message: ModelMessage<Image>): readonly Image[] {
  if (message.role === "user") return message.images ?? [];
  return message.role === "tool" ? message.results.flatMap(({ images }) => images ?? []) : [];
}

/** The reference without its address, which may be signed and is not for a model. */
export function toModelImage({ id, name, mediaType, bytes }: ModelImage): ModelImage {
  return { id, name, mediaType, bytes };
}

/** Whether a file is declared or named as an image. Its bytes are checked later, by `loadImages`. */
export function isImageFile({ name, mediaType }: Pick<ModelImage, "name" | "mediaType">): boolean {
  return mediaType === "application/octet-stream"
    ? /\.(?:png|jpe?g|gif|webp)$/i.test(name)
    : mediaType.startsWith("image/");
}

function withImages(
  message: ModelMessage,
  load: (images: readonly ModelImage[]) => readonly LoadedImage[],
): ModelMessage<LoadedImage> {
  const loaded = (images: readonly ModelImage[] | undefined) =>
    images === undefined || images.length === 0 ? {} : { images: load(images) };
  if (message.role === "assistant") return message;
  if (message.role === "user") {
    const { images, ...rest } = message;
    return { ...rest, ...loaded(images) };
  }
  const results = message.results.map(({ images, ...rest }) => ({ ...rest, ...loaded(images) }));
  return { ...message, results };
}

/** Decides in the order of the messages, so that later requests of the conversation leave out the same images. */
function newest(images: readonly ModelImage[]): readonly ModelImage[] {
  let first = 0;
  let bytes = 0;
  for (const [at, image] of images.entries()) {
    bytes += image.bytes;
    if (at + 1 - first <= IMAGE_LIMITS.images && bytes <= IMAGE_LIMITS.totalBytes) continue;
    while (
      first < at &&
      (at + 1 - first > IMAGE_LIMITS.images * TARGET || bytes > IMAGE_LIMITS.totalBytes * TARGET)
    )
      bytes -= images[first++]?.bytes ?? 0;
  }
  return images.slice(first);
}

async function readChecked(
  image: ModelImage,
  source: ImageSource | undefined,
  signal: AbortSignal,
): Promise<NonNullable<LoadedImage["content"]> | string> {
  if (source === undefined) return "nothing here keeps files";
  let bytes: Uint8Array;
  try {
    bytes = await source.read(image, { signal, maxBytes: IMAGE_LIMITS.imageBytes });
  } catch (error) {
    signal.throwIfAborted();
    return isTroupeError(error) ? withoutStop(error.message) : "it cannot be read right now";
  }
  if (bytes.byteLength > IMAGE_LIMITS.imageBytes) return tooLarge(bytes.byteLength);
  const format = readImageFormat(bytes);
  if (format === undefined) return "it is no PNG, JPEG, GIF or WebP image";
  const { mediaType, width, height } = format;
  if (Math.max(width, height) > IMAGE_LIMITS.edge)
    return `it has ${width} x ${height} pixels, and at most ${IMAGE_LIMITS.edge} along an edge are taken`;
  return { mediaType, bytes };
}

const tooLarge = (bytes: number): string =>
  `it has ${bytes} bytes, and at most ${IMAGE_LIMITS.imageBytes} are taken`;

const withoutStop = (sentence: string): string => sentence.replace(/\.$/, "");

function named({ name, mediaType, bytes }: ModelImage): string {
  return `Image ${clip(JSON.stringify(name.toWellFormed()), MAX_NAME)} (${clip(mediaType, 60)}, ${bytes} bytes)`;
}

function inPlaceOf(image: ModelImage, why: string | undefined): LoadedImage {
  const { id } = image;
  if (why !== undefined) return { id, text: `[${named(image)} is not shown: ${why}.]` };
  const { images, totalBytes } = IMAGE_LIMITS;
  return {
    id,
    text: `[${named(image)} is no longer shown: a request has room for ${images} images and ${totalBytes / MIB} MiB, and newer ones took its place.]`,
  };
}
