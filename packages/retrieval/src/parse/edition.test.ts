import { describe, expect, it } from "vitest";

import { findDates } from "../text/dates.ts";
import { detectEdition } from "./edition.ts";

const edition = (
  text: string,
  more: { title?: string; fileName?: string; properties?: Record<string, string> } = {},
) => detectEdition({ fileName: "doc.md", title: "Doc", properties: {}, text, ...more });

describe("findDates", () => {
  it("reads the usual spellings and nothing else", () => {
    expect(
      findDates("2025-03-01, 1 March 2025, March 1st, 2025, 01.03.2025, Mar 2025 and 2025-03").map(
        (date) => date.iso,
      ),
    ).toEqual(["2025-03-01", "2025-03-01", "2025-03-01", "2025-03-01", "2025-03", "2025-03"]);
    expect(findDates("In 2025 we sold 12-13 units, ref 2025-44, v1.2.2025x")).toEqual([]);
  });
});

describe("detectEdition", () => {
  it.each(["Header: Confidential until 1 May 2027", "Footer: Printed 22 November 2026"])(
    "takes no date of %j",
    (line) => {
      expect(edition(`Rules\n\n${line}`).published).toBeUndefined();
      expect(edition(`Rules\n\n${line}\n\n3 March 2025`).published).toBe("2025-03-03");
    },
  );

  it("believes front matter first", () => {
    expect(
      edition("Date: 1 May 2020", {
        properties: { version: "v2.1", date: "2025-02-03", supersedes: "AI Policy 2023" },
      }),
    ).toEqual({ published: "2025-02-03", version: "2.1", supersedes: ["AI Policy 2023"], withdrawn: false });
  });

  it("reads a first page", () => {
    expect(
      edition("Travel Policy\n\nVersion 3, effective 1 April 2025. Supersedes the Travel Policy of 2022."),
    ).toEqual({
      published: "2025-04-01",
      version: "3",
      supersedes: ["Travel Policy of 2022"],
      withdrawn: false,
    });
    expect(edition("Doc\n\n12 June 2024\n\nWe met.").published).toBe("2024-06-12");
    expect(edition("This policy has been superseded.").withdrawn).toBe(true);
  });

  it("falls back to title and file name, and knows nothing otherwise", () => {
    expect(edition("x", { fileName: "travel_policy-v2-2024.pdf" })).toMatchObject({
      published: "2024",
      version: "2",
    });
    expect(edition("We were founded in 1998 in Bergen.")).toEqual({ supersedes: [], withdrawn: false });
  });
});
