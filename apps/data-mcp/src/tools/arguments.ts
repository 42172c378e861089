import { z } from "zod";

export const collectionArgument = z.string().max(200).optional().describe("Needed where there are several");

export const resultArgument = z.string().max(100).describe("Such as result-1a2b3c4d5e6f");
