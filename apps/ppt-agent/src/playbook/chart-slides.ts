import { choose, countWords, inBrief } from "./in-brief.ts";
import type { Section, Statement } from "./read-briefing.ts";
import { noted, point, reference, slideOf, type Slide } from "./slide-arguments.ts";

const MAX_REMARK_WORDS = 24;
const MIN_CLAUSE_WORDS = 4;
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
    const left = headline === undefined ? [] : afterTitle(headline, title);
    // What a change in the title is reckoned from comes before all else.
    const basis = left.filter(({ text }) => FROM_TO.test(text));
    const fitting = [basis, rest, left].map(fit).find((some) => some.length > 0) ?? [];
    return slideOf(1, {
      kind: "chart",
      title: `${part}: ${title}`,
      chart: reference(chart),
      ...(fitting.length === 0 ? {} : { takeaways: fitting.map(point) }),
      ...noted(section.statements),
    });
  });
}

/** What a title leaves out that can be read without it: `From EUR 2 million to ...`, what a semicolon sets apart. */
function afterTitle(statement: Statement, title: string): readonly Statement[] {
  const [end = "", ...apart] = statement.text.slice(title.length).split("; ");
  const from = end.replace(/^,\sfrom\b/, "From");
  return [
    ...(FROM_TO.test(from) ? [from] : []),
    // As it is written: it begins with a label of the chart, which may differ from another only in case.
    ...apart.filter((text) => countWords(text) >= MIN_CLAUSE_WORDS),
  ].map((text) => ({ ...statement, text }));
}
