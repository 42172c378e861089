/** A file name that is nothing but a file name on any system. */
export function safeName(name: string): string {
  const base = name.slice(Math.max(name.lastIndexOf("/"), name.lastIndexOf("\\")) + 1);
  const clean = Array.from(base)
    .map((c) => (c < " " || c === "\u007f" || '<>:"|?*'.includes(c) ? "_" : c))
    .join("")
    .replace(/^\.+/, "")
    .trim()
    .slice(0, 200)
    // Half a character has no place in an address.
    .toWellFormed();
  return clean === "" ? "file" : clean;
}
