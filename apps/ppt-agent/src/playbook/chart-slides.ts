import { choose, countWords, inBrief } from "./in-brief.ts";
import type { Section, Statement } from "./read-briefing.ts";
import { noted, point, reference, slideOf, type Slide } from "./slide-arguments.ts";

const MAX_REMARK_WORDS = 24;
const FROM_TO = /^From\b.{1,60}\d.{0,60} to\b.{1,60}\d/;

/** What the part of the deck is called that holds a chart. */
export const figuresPart = ({ heading, statements }: Section): string =>
  [heading, ...statements.map((one) => one.text)].some((text) => /\b(sales|revenue|turnover)\b/i.test(text))
    ? "Sales figures"
    : "The figures";

/** Each chart under what is said about it; other statements stand beside the first one. */
export function chartSlides(section: Section): readonly Slide[] {
  const [headline, ...rest] = section.statements;
  const part = figuresPart(section);
  return section.charts.map((chart, i): Slide => {
    if (i > 0)
      return slideOf(2, { kind: "chart", title: `${part}: ${section.heading}`, chart: reference(chart) });
    const title = headline === undefined ? section.heading : inBrief(headline.text);
    const room = MAX_REMARK_WORDS - Math.max(0, countWords(title) - 8);
    const fit = (of: readonly Statement[]): readonly Statement[] =>
      choose(of, (one) => countWords(one.text), room, 2).filter((one) => countWords(one.text) <= room);
    const end = headline === undefined ? [] : afterTitle(headline, title);
    // What a change in the title is reckoned from; else a whole sentence says more than the end of one.
    const basis = fit(end.filter(({ text }) => FROM_TO.test(text)));
    const whole = fit(rest);
    const fitting = [basis, whole, fit(end)].find((some) => some.length > 0) ?? [];
    return slideOf(1, {
      kind: "chart",
      title: `${part}: ${title}`,
      chart: reference(chart),
      ...(fitting.length === 0 ? {} : { takeaways: fitting.map(point) }),
      ...noted(section.statements),
    });
  });
}

/** What a title leaves out of its statement. */
function afterTitle(statement: Statement, title: string): readonly Statement[] {
  const rest = statement.text.slice(title.length).replace(/^[,;:.\s]+/, "");
  if (countWords(rest) < 3) return [];
  return [{ ...statement, text: `${rest.charAt(0).toUpperCase()}${rest.slice(1)}` }];
}
