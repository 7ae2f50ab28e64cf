/** The parts of the reports' pages: the page itself, text, numbers, tables and bars as HTML. */
import { pageStyle } from './page-style';
import type { Proportion } from './proportion';

/** A page without scripts or external resources. @param title of the page and of its heading @param body HTML below it */
export const pageOf = (title: string, body: string): string => `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<style>${pageStyle}</style>
</head>
<body>
<main>
<h1>${title}</h1>
${body}
</main>
</body>
</html>
`;

/** @param moment in ISO 8601 @returns its day in UTC, such as November 29, 2026 */
export const dayOf = (moment: string): string =>
  new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(moment));

export const escapeHtml = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

export const number = (value: number) => value.toLocaleString('en-US');

/** A rate in percent, with two significant digits. */
export const percent = (rate: number) => `${digits(100 * rate)} %`;

export const interval = ({ interval: [low, high] }: Proportion) =>
  `[${digits(100 * low)} to ${digits(100 * high)}]`;

/** Two significant digits, without an exponent. */
export const digits = (value: number) =>
  value.toLocaleString('en-US', { maximumSignificantDigits: 2, useGrouping: false });

export interface TableContent {
  readonly label: string;
  readonly caption?: string;
  readonly head: readonly string[];
  /** Cells are HTML. */
  readonly rows: readonly { readonly head: string; readonly cells: readonly string[] }[];
}

/** A table that scrolls sideways on narrow screens, also by keyboard. */
export function table({ label, caption, head, rows }: TableContent): string {
  const body = rows.map(
    (row) =>
      `<tr><th scope="row">${row.head}</th>${row.cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`,
  );
  return `<section class="scroll" aria-label="${label}" tabindex="0">
<table>
${caption ? `<caption>${caption}</caption>\n` : ''}<thead><tr>${head.map((text) => `<th scope="col">${text}</th>`).join('')}</tr></thead>
<tbody>
${body.join('\n')}
</tbody>
</table>
</section>`;
}

/** Interval and rate on a scale from 0. The numbers beside it say the same, so readers skip it. */
export function bar({ rate, interval: [low, high] }: Proportion, end: number): string {
  const x = (value: number) => (end > 0 ? (100 * value) / end : 0).toFixed(1);
  const width = (end > 0 ? (100 * (high - low)) / end : 0).toFixed(1);
  return `<svg class="bar" viewBox="-4 0 108 8" aria-hidden="true"><path d="M0 4h100"/><rect x="${x(low)}" y="2" width="${width}" height="4"/><circle cx="${x(rate)}" cy="4" r="3"/></svg>`;
}

/** @param end of the scale of a bar; without it there is none */
export function rateCell(rate: Proportion | null, end?: number): string {
  if (!rate) return '<span class="few">too few to say</span>';
  const scale = end === undefined ? '' : bar(rate, end);
  return `<strong>${percent(rate.rate)}</strong> <span class="interval">${interval(rate)}</span>${scale}`;
}
