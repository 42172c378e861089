export { asksAgain, asksLength, asksShorter, asksSources, lengthAsked } from "./change.ts";
export { deedIn } from "./deed.ts";
export { followUpIn, refersBack, type FollowUp } from "./follow-up.ts";
export { asPeriod } from "./period.ts";
export { oneLine } from "./phrase.ts";
export { asksQuestion, questionsIn } from "./questions.ts";
export { readRequest, saidAbout, type RequestReading } from "./read-request.ts";
export { varied } from "./varied.ts";
