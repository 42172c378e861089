/** Documents of a company that has nothing to do with the example: a policy, the one it replaces, and a third. */
export const TRAVEL: { readonly [name: string]: string } = {
  "travel-policy-2026.md": `# Travel Policy 2026

Published: 2 February 2026. Version 3. Replaces the Travel Policy 2023.

## Purpose

This policy says how employees of Fjordline Foods book trips and what the company pays for. It applies to all employees in Norway and Denmark.

## Booking

All trips are booked through the travel desk at least 14 days before departure. Trips of less than four hours are made by train. Business class is allowed only on flights longer than six hours.

## Hotels

A hotel night may cost up to NOK 1,900 in Norway and DKK 1,500 in Denmark. In Oslo the limit is NOK 2,300. Breakfast is included in the price of the room.

## Meals and allowances

Employees receive a daily allowance of NOK 620 for a full day of travel. Alcohol is never paid for by the company.

| Country | Daily allowance | Hotel limit |
|---|---|---|
| Norway | NOK 620 | NOK 1,900 |
| Denmark | DKK 480 | DKK 1,500 |
| Other | EUR 60 | EUR 170 |

## Expenses

Expense reports are handed in within 30 days after the trip. Receipts are required for every expense above NOK 200. Reports that arrive late are paid with the salary of the following quarter.

## Safety

Employees register every trip outside Europe with the security officer, Ingrid Moe. The emergency line +47 555 01 234 answers day and night.
`,
  "travel-policy-2023.md": `# Travel Policy 2023

Published: 1 March 2023. Version 2.

## Booking

All trips are booked through the travel desk at least 7 days before departure. Business class is allowed on flights longer than four hours.

## Hotels

A hotel night may cost up to NOK 1,500 in Norway and DKK 1,200 in Denmark.

## Meals and allowances

Employees receive a daily allowance of NOK 540 for a full day of travel.

## Expenses

Expense reports are handed in within 60 days after the trip.
`,
  "canteen.md": `# Canteen rules

The canteen in Bergen opens at 11 o'clock and closes at 14 o'clock. Lunch costs NOK 45 for employees and NOK 90 for guests. The strategy of the canteen is to buy half of its vegetables from local farms by 2027.
`,
};
