import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { artifactPath } from "./artifact-path.ts";

const id = "0123456789abcdef0123456789abcdef";

describe("artifactPath", () => {
  it.each([
    ["/artifacts", {}],
    ["/artifacts?limit=1", {}],
    [`/artifacts/${id}`, { id }],
    [`/artifacts/${id}/a%20b.txt?sig=1`, { id, name: "a b.txt" }],
    [`/artifacts/${id}/`, { id, name: "" }],
    ["/artifacts/%C3%BC.csv", { name: "ü.csv" }],
    ["/artifacts/..%2f..%2fetc", { name: "../../etc" }],
  ])("reads %s", (url, expected) => {
    const { query: _, ...path } = artifactPath(url) ?? {};
    expect(path).toEqual(expected);
  });

  it.each([
    "/",
    "/other",
    "/artifactsx",
    "/artifacts/a/b",
    "/artifacts/%zz",
    `/artifacts/${id}/%zz`,
    `/artifacts/${id}/a/b`,
  ])("leaves %s to others", (url) => {
    expect(artifactPath(url)).toBeUndefined();
  });

  it("finds the name again that an address was made of", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (given) => {
        const name = given.toWellFormed();
        expect(artifactPath(`/artifacts/${id}/${encodeURIComponent(name)}`)).toMatchObject({ id, name });
      }),
    );
  });
});
