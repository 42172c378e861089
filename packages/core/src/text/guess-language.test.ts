import { expect, it } from "vitest";

import { guessLanguage } from "./guess-language.ts";

it.each([
  [
    "English",
    "Models are reviewed by the board of the company every 12 months, and the result is published.",
  ],
  [
    "German",
    "Die Modelle werden von dem Ausschuss alle zwölf Monate geprüft, und das Ergebnis ist öffentlich.",
  ],
  [
    "French",
    "Les modèles sont contrôlés par la direction tous les ans, et le résultat est publié dans le rapport.",
  ],
  [
    "Swedish",
    "Modellerna granskas av styrelsen varje år och resultatet är offentligt för alla som vill se det.",
  ],
  ["Japanese", "モデルは取締役会によって毎年見直されます。"],
  ["Chinese", "模型每年由董事会审查。"],
])("tells %s by its frequent words or its script", (language, text) => {
  expect(guessLanguage(text)).toBe(language);
});

it("names no language for a text without words of a known one", () => {
  expect(guessLanguage("4711 / 0815 - XJ-9")).toBeUndefined();
});

it("names no language for a single known word", () => {
  expect(guessLanguage("Van der Berg")).toBeUndefined();
  expect(guessLanguage("revenue of 2024")).toBeUndefined();
  expect(guessLanguage("revenue of 2024", { minWords: 1 })).toBe("English");
});

it("names no language at a tie", () => {
  expect(guessLanguage("the which und wie")).toBeUndefined();
});
