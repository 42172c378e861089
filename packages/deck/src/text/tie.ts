const DATE = /(?<!\d)(\d{1,2}\.?) (\p{L}{3,9}) (?=(?:19|20)\d{2}(?!\d))/gu;
/** `EUR 4`, `ISO 27001`. */
const BEFORE = /(?<!\p{L})([A-Z]{3}|[€$£¥]) (?=\d)/gu;
const AFTER = /(?<=\d) (?=(?:[%‰]|percent|thousand|million|billion|hours|days)(?!\p{L}))/gu;
const TIE = "\u00a0";

/** The text with no-break spaces inside dates, and between a number and its currency or unit. */
export const tied = (text: string): string =>
  text.replaceAll(DATE, `$1${TIE}$2${TIE}`).replaceAll(BEFORE, `$1${TIE}`).replaceAll(AFTER, TIE);
