import { appendFile } from "node:fs/promises";

import { defineTool } from "@troupe/core";
import { z } from "zod";

export const BOARDS = ["staff", "visitors"] as const;

/** Others will read it and it cannot be taken back: a person decides about each call. */
export const postNotice = (file: string) =>
  defineTool({
    name: "post_notice",
    description: "Puts a notice on a board, for all to read. Returns one sentence.",
    input: z.strictObject({ board: z.enum(BOARDS), text: z.string().min(1) }),
    needsApproval: true,
    async execute({ board, text }) {
      await appendFile(file, `${board}: ${text}\n`);
      return { text: `Posted on the ${board} board: ${text}` };
    },
  });
