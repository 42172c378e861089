/** A key for what an owner has, one of its own for each pair whatever stands in the two. */
export function keyOf(owner: string, id: string): string {
  return `${owner.length}:${owner}${id}`;
}
