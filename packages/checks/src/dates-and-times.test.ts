import { describe, expect, test } from "vitest";

import { answerCheck } from "./answer-check.ts";
import { evidenceOf, passages } from "./testing/evidence.ts";
import { findings } from "./testing/findings.ts";

describe("times and durations", () => {
  const evidence = passages(
    "- 13:07 pool exhausted\n- 13:11 first alert\n- 22:00 calm\nIt took 12 kg for 80 portions.",
  );

  test("are compared in any notation", () => {
    expect(findings("It was calm from 10 p.m. [1].", evidence)).toEqual(["verified"]);
    expect(findings("It was calm from 11 p.m. [1].", evidence)).toEqual(["date: 11 p.m."]);
  });

  test("have the half of the day that the evidence has", () => {
    const doors = passages(
      "Doors open at 7:30 a.m. and close at 9.15 p.m.",
      "The bus leaves at 7:30 and at 19:45.",
    );
    expect(findings("Doors open at 7:30 a.m. [1].", doors)).toEqual(["verified"]);
    expect(findings("Doors open at 07:30 [1].", doors)).toEqual(["verified"]);
    expect(findings("Doors open at 7:30 p.m. [1].", doors)).toEqual(["date: 7:30 p.m."]);
    expect(findings("Doors close at 21:15 [1].", doors)).toEqual(["verified"]);
    expect(findings("Doors close at 9:15 a.m. [1].", doors)).toEqual(["date: 9:15 a.m."]);
    expect(findings("The bus leaves at 7:30 a.m. [2].", doors)).toEqual(["verified"]);
    expect(findings("The bus leaves at 7:30 p.m. [2].", doors)).toEqual(["date: 7:30 p.m."]);
  });

  test("share the half of the day with the time after them", () => {
    const kitchen = passages(
      "Breakfast is between 6.30 and 9 a.m., dinner from 6.15 to 9 p.m. The market is open from 11 to 2 p.m.",
      "Breakfast is from 06:30 to 09:00, dinner from 18:15 to 21:00. The market is open from 11:00 to 14:00.",
    );
    for (const mark of ["[1]", "[2]"]) {
      expect(findings(`Breakfast is between 6.30 and 9 a.m. ${mark}.`, kitchen)).toEqual(["verified"]);
      expect(findings(`Dinner is from 18:15 ${mark}.`, kitchen)).toEqual(["verified"]);
      expect(findings(`Dinner is between 6.30 and 9 p.m. ${mark}.`, kitchen)).toEqual(["date: 6.30"]);
      expect(findings(`The market opens at 11 a.m. ${mark}.`, kitchen)).toEqual(["verified"]);
    }
  });

  test("between two dates with a time are derived", () => {
    const works = passages(
      "The line is closed from Saturday 6 July, 22:30, to Monday 22 July 2024, 04:30, for works.",
    );
    expect(findings("The line is closed for a little over 15 days [1].", works)).toEqual(["derived"]);
    expect(findings("The line is closed for nearly 16 days [1].", works)).toEqual(["derived"]);
    expect(findings("The line is closed for 366 hours [1].", works)).toEqual(["derived"]);
    expect(findings("The line is closed for a little over 13 days [1].", works)).toEqual(["figure: 13 days"]);
  });

  test("in words may have a hyphen before their unit", () => {
    const checks = passages("Checks are repeated every four months.", "It is a twenty-four-hour service.");
    expect(findings("Checks have a four-month interval [1].", checks)).toEqual(["verified"]);
    expect(findings("Checks have a five-month interval [1].", checks)).toEqual(["figure: five-month"]);
    expect(findings("The service is open for 24 hours [2].", checks)).toEqual(["verified"]);
  });

  test("between two times are derived", () => {
    expect(findings("The alert came after four minutes [1].", evidence)).toEqual(["derived"]);
  });

  test("and amounts convert to the unit of the sentence", () => {
    expect(findings("Each portion has 150 g [1].", evidence)).toEqual(["derived"]);
    expect(findings("It took 12 lb [1].", evidence)).toEqual(["unit: 12 lb"]);
  });
});

describe("dates", () => {
  const evidence = passages(
    "| Date | Entry |\n| --- | --- |\n| 13 February 2025 | Report by telephone, taken by Carla Frei |\n| 19 February 2025 | Visit of assessor Reto Imhof |",
    "Claire Lavergne succeeded her father on 1 October 2019.\n\n| Deed | Duration |\n| --- | --- |\n| Gift | 31 days |",
  );

  test.each([
    ["The assessor visited on 19 February 2025 [1].", "verified"],
    ["The assessor visited on 13 February 2025 [1].", "date: 13 February 2025"],
    ["Carla Frei took the report on 13 February 2025 [1].", "verified"],
    ["The report came on 13 February 2025, six days before the assessor's visit [1].", "derived"],
    ["Six days passed between the call on 13 February 2025 and the visit [1].", "derived"],
    ["She succeeded her father on 1 October 2019 [2].", "verified"],
    ["She succeeded her father on 1 November 2019 [2].", "date: 1 November 2019"],
  ])("are those of what the sentence speaks of: %s", (answer, expected) => {
    expect(findings(answer, evidence)).toEqual([expected]);
  });
});

describe("dates that a text does not state as they are", () => {
  test.each([
    ["It opened in March 2025.", "finding"],
    ["In March 2025 a team opened it.", "finding"],
    ["A March 2025 report – the first – says so.", "finding"],
    ["It opens by the end of March 2025.", "verified"],
    ["It is open from March 2025.", "verified"],
    ["It is open from January to March 2025.", "verified"],
    ["Opening time: January – March 2025.", "verified"],
    ["Es ist bis einschließlich März 2025 offen.", "verified"],
    ["Es öffnete im März 2025.", "finding"],
    ["Il ouvre à partir de mars 2025.", "verified"],
    ["Il est ouvert jusqu'à fin mars 2025.", "verified"],
  ])("are an edge of a month: %s", (text, status) => {
    const [check] = answerCheck.check("The date is 31 March 2025 [1].", passages(text));
    expect(check?.status).toBe(status);
  });

  test("are a duration before or after another one", () => {
    const course = passages("The course starts on 14 June 2026. Fees are due two weeks before the start.");
    expect(findings("Fees are due by 31 May, two weeks before the start [1].", course)).toEqual(["verified"]);
    expect(findings("Fees are due by 31 May 2026 [1].", course)).toEqual(["verified"]);
    expect(findings("Fees are due by 28 May 2026 [1].", course)).toEqual(["date: 28 May 2026"]);
    const same = passages("The course starts on 24 June 2026. Fees are due ten days before the start.");
    expect(findings("Fees are due by 14 June 2026 [1].", same)).toEqual(["verified"]);
    expect(findings("Fees are due by 4 June 2026 [1].", same)).toEqual(["date: 4 June 2026"]);
  });

  test("are a duration of a passage after a date that the person gave", () => {
    const notice = evidenceOf({
      citations: [{ id: "1", text: "You may object prior to 30 days after your receipt of the notice." }],
      given: ["On 4 March 2026 we received a notice. Until when can we object?"],
    });
    expect(findings("You may object before 3 April 2026 [1].", notice)).toEqual(["verified"]);
    expect(findings("You may object before 13 April 2026 [1].", notice)).toEqual(["date: 13 April 2026"]);
  });
});

test("reads a word such as `May` as a month anywhere in evidence", () => {
  expect(findings("The café opens in May [1].", passages("The café moves to May."))).toEqual(["verified"]);
  expect(findings("The café opens in May [1].", passages("The café may move to June."))).toEqual([
    "date: in May",
  ]);
});

test("computes a duration between two times of one sentence under the strict bound", () => {
  const ferry = passages(
    "The ferry was due at 9:40 and came in at 12:40 instead. The bar closed at 11:00. The next one left at 13:15.",
  );
  expect(findings("The ferry was three hours late [1].", ferry, { bound: "strict" })).toEqual(["derived"]);
  expect(findings("The ferry was five hours late [1].", ferry)).toEqual(["figure: five hours"]);
});
