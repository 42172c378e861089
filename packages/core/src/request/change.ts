const SHORTER =
  /\b(?:shorter|shorten|briefer|fewer|condense|in short|in brief|(?:cut|trim|keep) (?:it|this|that|them) (?:down|short))\b/i;
const AGAIN =
  /^(?:(?:now|and|please|then|ok(?:ay)?|try|do (?:it|this|that))[\s,]+)*(?:again|redo|retry|once more)\b/i;
/** Characters that are looked at. */
const MAX_READ = 500;

/** What was done is wanted shorter, without a number. */
export const asksShorter = (change: string): boolean => SHORTER.test(change.slice(0, MAX_READ));

/** What was done is wanted once more, as it was. */
export const asksAgain = (change: string): boolean => AGAIN.test(change.slice(0, MAX_READ));
