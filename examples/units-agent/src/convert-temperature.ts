import { defineTool } from "@troupe/core";
import { z } from "zod";

/** One tool: its schema is what the model sees and what every call is checked against. */
export const convertTemperature = defineTool({
  name: "convert_temperature",
  description: "Converts a temperature between Celsius and Fahrenheit. Returns one sentence.",
  input: z.strictObject({
    value: z.number().describe("Degrees"),
    from: z.enum(["celsius", "fahrenheit"]),
  }),
  idempotent: true,
  async execute({ value, from }) {
    const converted = from === "celsius" ? (value * 9) / 5 + 32 : ((value - 32) * 5) / 9;
    const to = from === "celsius" ? "°F" : "°C";
    return { text: `${value} ${from === "celsius" ? "°C" : "°F"} is ${converted.toFixed(1)} ${to}.` };
  },
});
