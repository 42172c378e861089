import type { AnswerCheck } from "@troupe/core";

import { checkAnswer } from "./check-answer.ts";
import { reviewAnswer } from "./review.ts";

/** Checks answers against the evidence of their run, by rules, and with a model where `review` is called. */
export const answerCheck: AnswerCheck = { check: checkAnswer, review: reviewAnswer };
