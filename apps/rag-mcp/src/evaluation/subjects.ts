/** A subject that is no document with chapters of its own, and how an overview of it must go. */
export interface Subject {
  readonly collection: "norrvik" | "travel";
  readonly subject: string;
  /** Words that must be told, in this order; others may stand between. */
  readonly order: readonly string[];
  /** What may stand nowhere in it. */
  readonly never: readonly string[];
}

export const SUBJECTS: readonly Subject[] = [
  {
    collection: "norrvik",
    subject: "Foresight, our early-warning product, for new customers",
    order: [
      "early-warning service that forecasts",
      "reads the measurements of a station every ten minutes",
      "Result in brief",
      "EUR 1,450",
      "Known limits",
    ],
    never: ["Product notes for sales", "without value added tax", "Say that", "General Counsel"],
  },
  {
    collection: "norrvik",
    subject: "our products and how customers use them",
    order: ["What Foresight does", "## Our products", "## Our customers"],
    never: ["Say that", "Please", "Biofouling", "What remains of the running year"],
  },
  {
    collection: "norrvik",
    subject: "Watershed, our data platform, for the board",
    order: ["takes the place of many older databases", "together on one data platform", "EUR 1.0 million"],
    never: ["Version 1.3 of", "Biofouling"],
  },
  {
    collection: "norrvik",
    subject: "Kompass for new employees",
    order: ["internal assistant", "always names its source", "120 testers"],
    never: ["Neptune is", "Please"],
  },
  {
    collection: "norrvik",
    subject: "security and privacy, for new customers",
    order: ["stored in Stockholm", "## Certificates", "signed", "five minutes"],
    never: ["Last updated", "Kept by Tobias"],
  },
  {
    collection: "norrvik",
    subject: "Norrvik, for investors",
    order: ["EUR 84.8 million", "## Our markets", "640 customers", "## People"],
    never: ["Biofouling", "Leaving Norrvik", "Please"],
  },
  {
    collection: "travel",
    subject: "travel expenses and the canteen",
    order: ["30 days", "NOK 45"],
    never: ["Published", "60 days"],
  },
];
