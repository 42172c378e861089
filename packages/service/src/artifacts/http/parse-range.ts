import type { ByteRange } from "@troupe/core";

/**
 * What of a file of `size` bytes a `Range` header asks for (RFC 9110, section 14). Several ranges are
 * answered with the whole file, which the RFC allows, and so is a unit that is not bytes.
 */
export function parseRange(header: string | undefined, size: number): ByteRange | "whole" | "unsatisfiable" {
  const set = /^bytes=(.*)$/i.exec(header ?? "")?.[1]?.trim();
  if (set === undefined || set.includes(",")) return "whole";
  const [, first = "", last = ""] = /^(\d*)-(\d*)$/.exec(set) ?? [];
  if (first === "" && last === "") return "unsatisfiable";
  const start = first === "" ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === "" || last === "" ? size : Math.min(size, Number(last) + 1);
  // Written the wrong way round, of nothing, or behind the end.
  return start < end ? { start, end } : "unsatisfiable";
}
