import { z } from "zod";

const object = z.record(z.string(), z.json());

/** What an agent emits: text, or a question with the calls it asks about. */
export const askEventsSchema = z.array(
  z.looseObject({
    event_type: z.string().nullish(),
    content: z.string().nullish(),
    tool_calls: z
      .array(
        z.looseObject({
          name: z.string(),
          id: z.string().nullish(),
          args: object.nullish().transform((args) => args ?? {}),
        }),
      )
      .nullish(),
  }),
);

/** What a person decided about one call, in the words of the case's system. */
export const decisionSchema = z.looseObject({
  type: z.string(),
  message: z.string().nullish(),
  args: z.json().nullish(),
  edited_action: z.object({ name: z.string(), args: object }).nullish(),
});
export type GivenDecision = z.output<typeof decisionSchema>;

/** The answer to a question: decisions as data, or words. */
export const replySchema = z.looseObject({
  agent_events: askEventsSchema.default([]),
  user_parts: z
    .array(
      z.looseObject({
        data: z.looseObject({ resume: z.object({ decisions: z.array(decisionSchema) }).nullish() }).nullish(),
        text: z.string().nullish(),
      }),
    )
    .optional(),
  user_text: z.string().optional(),
});
