import type { ImageFormat } from "../images/image-format.ts";

/**
 * Bytes that begin like an image of this format and size, filled up with zeros to `bytes`. 64 bytes by default. For
 * tests that need no pixels.
 */
export function sampleImage({
  mediaType = "image/png",
  width = 4,
  height = 3,
  bytes = 64,
}: Partial<ImageFormat> & { readonly bytes?: number } = {}): Uint8Array {
  const image = new Uint8Array(bytes);
  image.set(Uint8Array.from(HEADERS[mediaType](width, height)));
  return image;
}

const latin1 = (text: string): readonly number[] =>
  Array.from({ length: text.length }, (_, at) => text.charCodeAt(at));
const big = (value: number, size: number): readonly number[] =>
  Array.from({ length: size }, (_, at) => (value >> (8 * (size - 1 - at))) & 0xff);
const little = (value: number, size: number): readonly number[] => big(value, size).toReversed();

const HEADERS: {
  readonly [type in ImageFormat["mediaType"]]: (width: number, height: number) => readonly number[];
} = {
  "image/png": (width, height) =>
    [latin1("\x89PNG\r\n\x1a\n"), big(13, 4), latin1("IHDR"), big(width, 4), big(height, 4)].flat(),
  "image/gif": (width, height) => [latin1("GIF89a"), little(width, 2), little(height, 2)].flat(),
  "image/webp": (width, height) => {
    const size = [little(width - 1, 3), little(height - 1, 3)];
    return [latin1("RIFF"), little(100, 4), latin1("WEBPVP8X"), little(10, 4), little(0, 4), ...size].flat();
  },
  // Some writers put a fill byte between the two segments.
  "image/jpeg": (width, height) => {
    const app0 = latin1(`\xff\xd8\xff\xe0\0\x10JFIF${"\0".repeat(10)}`);
    return [app0, latin1("\xff\xff\xc0\0\x11\b"), big(height, 2), big(width, 2)].flat();
  },
};
