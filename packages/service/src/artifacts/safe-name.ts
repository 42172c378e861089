/** Marks that turn the direction of writing: behind one `gpj.exe` reads as `exe.jpg`. */
const TURNS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
/** Names of devices on Windows, whatever the extension. */
const DEVICE = /^(con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/i;

/** A file name that is nothing but a file name on any system, and reads as what it is. */
export function safeName(name: string): string {
  const base = name.slice(Math.max(name.lastIndexOf("/"), name.lastIndexOf("\\")) + 1);
  const clean = base
    .replace(TURNS, "")
    .replace(/[\p{Cc}\u2028\u2029<>:"|?*]/gu, "_")
    .replace(/^[\s.]+/, "")
    .slice(0, 200)
    // Half a character has no place in an address.
    .toWellFormed()
    // Windows takes them away, and another name would be left.
    .replace(/[\s.]+$/, "")
    .replace(DEVICE, "_$1");
  return clean === "" ? "file" : clean;
}
