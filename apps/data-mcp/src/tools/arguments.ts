import { z } from "zod";

export const collectionArgument = z
  .string()
  .max(200)
  .optional()
  .describe("Name of the data collection. Leave it out to use the one of the request, or the only one.");

export const resultArgument = z
  .string()
  .max(100)
  .describe("Id of a query result, such as result-1a2b3c4d5e6f.");
