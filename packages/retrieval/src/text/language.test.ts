import { expect, it } from "vitest";

import { languageOf } from "./language.ts";

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
  expect(languageOf(text)).toBe(language);
});

it("names no language for a text without words of a known one", () => {
  expect(languageOf("4711 / 0815 - XJ-9")).toBeUndefined();
});
