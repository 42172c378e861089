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

const ascii = (text: string): readonly number[] => [...text].map((char) => char.charCodeAt(0));
const big = (value: number, size: number): readonly number[] =>
  Array.from({ length: size }, (_, at) => (value >> (8 * (size - 1 - at))) & 0xff);
const little = (value: number, size: number): readonly number[] => big(value, size).toReversed();

const HEADERS: {
  readonly [type in ImageFormat["mediaType"]]: (width: number, height: number) => readonly number[];
} = {
  "image/png": (width, height) => [
    ...ascii("\x89PNG\r\n\x1a\n"),
    ...big(13, 4),
    ...ascii("IHDR"),
    ...big(width, 4),
    ...big(height, 4),
  ],
  "image/gif": (width, height) => [...ascii("GIF89a"), ...little(width, 2), ...little(height, 2)],
  "image/webp": (width, height) => [
    ...ascii("RIFF"),
    ...little(100, 4),
    ...ascii("WEBPVP8X"),
    ...little(10, 4),
    ...little(0, 4),
    ...little(width - 1, 3),
    ...little(height - 1, 3),
  ],
  "image/jpeg": (width, height) => [
    ...[0xff, 0xd8, 0xff, 0xe0],
    ...big(16, 2),
    ...ascii("JFIF\0"),
    ...Array.from({ length: 9 }, () => 0),
    // A fill byte, as some writers leave between two segments.
    ...[0xff, 0xff, 0xc0],
    ...big(17, 2),
    8,
    ...big(height, 2),
    ...big(width, 2),
  ],
};
