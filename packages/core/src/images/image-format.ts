/** Formats that every provider takes. */
export type ImageMediaType = "image/png" | "image/jpeg" | "image/gif" | "image/webp";

export interface ImageFormat {
  readonly mediaType: ImageMediaType;
  /** In pixels. */
  readonly width: number;
  readonly height: number;
}

/**
 * Format and size of an image, from its first bytes and never from its name or declared type. Undefined for
 * anything but PNG, JPEG, GIF and WebP, and for a header that is cut off or has no area.
 */
export function readImageFormat(bytes: Uint8Array): ImageFormat | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const format = png(view) ?? gif(view) ?? webp(view) ?? jpeg(view);
  return format !== undefined && format.width > 0 && format.height > 0 ? format : undefined;
}

function png(view: DataView): ImageFormat | undefined {
  if (!isAt(view, 0, "\x89PNG\r\n\x1a\n") || !isAt(view, 12, "IHDR") || view.byteLength < 24)
    return undefined;
  return { mediaType: "image/png", width: view.getUint32(16), height: view.getUint32(20) };
}

function gif(view: DataView): ImageFormat | undefined {
  if (!(isAt(view, 0, "GIF87a") || isAt(view, 0, "GIF89a")) || view.byteLength < 10) return undefined;
  return { mediaType: "image/gif", width: view.getUint16(6, true), height: view.getUint16(8, true) };
}

function webp(view: DataView): ImageFormat | undefined {
  if (!isAt(view, 0, "RIFF") || !isAt(view, 8, "WEBP") || view.byteLength < 30) return undefined;
  const mediaType = "image/webp";
  if (isAt(view, 12, "VP8 ") && isAt(view, 23, "\x9d\x01\x2a"))
    return {
      mediaType,
      width: view.getUint16(26, true) & 0x3fff,
      height: view.getUint16(28, true) & 0x3fff,
    };
  if (isAt(view, 12, "VP8L") && view.getUint8(20) === 0x2f) {
    const bits = view.getUint32(21, true);
    return { mediaType, width: 1 + (bits & 0x3fff), height: 1 + ((bits >> 14) & 0x3fff) };
  }
  if (isAt(view, 12, "VP8X")) {
    const uint24 = (at: number): number => view.getUint16(at, true) + (view.getUint8(at + 2) << 16);
    return { mediaType, width: 1 + uint24(24), height: 1 + uint24(27) };
  }
  return undefined;
}

function jpeg(view: DataView): ImageFormat | undefined {
  if (!isAt(view, 0, "\xff\xd8\xff")) return undefined;
  for (let at = 2; at + 9 <= view.byteLength;) {
    if (view.getUint8(at) !== 0xff) return undefined;
    const marker = view.getUint8(at + 1);
    // Any number of 0xff may fill the gap before a marker.
    if (marker === 0xff) at++;
    else if (isFrame(marker))
      return { mediaType: "image/jpeg", width: view.getUint16(at + 7), height: view.getUint16(at + 5) };
    // TEM and RST markers have no length.
    else if (marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7)) at += 2;
    else at += 2 + Math.max(2, view.getUint16(at + 2));
  }
  return undefined;
}

/** SOF0 to SOF15, without the three markers between them that begin no frame. */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
}

function isAt(view: DataView, at: number, ascii: string): boolean {
  if (view.byteLength < at + ascii.length) return false;
  for (let i = 0; i < ascii.length; i++) if (view.getUint8(at + i) !== ascii.charCodeAt(i)) return false;
  return true;
}
