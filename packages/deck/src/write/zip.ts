import JSZip from "jszip";

/** Parts of a package by name, without leading slash. Text parts are strings. */
export type Parts = Map<string, string | Uint8Array>;

const TEXT = /\.(xml|rels)$/;
/** The earliest time a zip can hold: no clock in the bytes. */
const EPOCH = new Date("1980-01-01T00:00:00Z");
/** Unpacked parts a reader takes: a zip bomb is refused. */
const MAX_PARTS = 5_000;

export async function unzip(bytes: Uint8Array): Promise<Parts> {
  const zip = await JSZip.loadAsync(bytes);
  const files = Object.values(zip.files).filter((file) => !file.dir);
  if (files.length > MAX_PARTS)
    throw new RangeError(`The file has ${files.length} parts; at most ${MAX_PARTS} are read.`);
  const parts: Parts = new Map();
  for (const file of files) {
    parts.set(file.name, TEXT.test(file.name) ? await file.async("string") : await file.async("uint8array"));
  }
  return parts;
}

/** Deflated, in a fixed order, without folder entries: the same parts give the same bytes. */
export async function zipParts(parts: ReadonlyMap<string, string | Uint8Array>): Promise<Uint8Array> {
  const zip = new JSZip();
  const names = [...parts.keys()].sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));
  for (const name of names) {
    const data = parts.get(name);
    if (data !== undefined)
      zip.file(name, data, { date: EPOCH, createFolders: false, unixPermissions: 0o644 });
  }
  return zip.generateAsync({
    type: "uint8array",
    compression: "DEFLATE",
    compressionOptions: { level: 6 },
    platform: "UNIX",
  });
}

/** Readers look for the content types first. */
const rank = (name: string): number => (name === "[Content_Types].xml" ? 0 : name === "_rels/.rels" ? 1 : 2);
