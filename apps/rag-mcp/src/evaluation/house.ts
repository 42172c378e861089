/** Notes with one short fact a paragraph, on which the questions of the evaluation are asked too. */
export const HOUSE: { readonly [file: string]: string } = {
  "house-facts.md": `# House facts

Rent is EUR 900.

Oskar mends roofs.

Parking costs EUR 12.

Deliveries arrive at 05:15 each day.

Painters begin at 06:45 in the morning.

Plumbers start work at seven in the main hall.

Bakers start at 03:30.

The archive is at two sites in Bergen.
`,
};
