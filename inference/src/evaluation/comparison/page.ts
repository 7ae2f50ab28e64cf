/** Renders a report as one HTML page without scripts or external resources. */

import { draws } from '../../calibration/intervals';
import { dayOf, digits, escapeHtml, number, pageOf, rateCell, table } from '../report/page-parts';
import type { CellResult, PairRates } from './cells';
import type { PairCounts } from './pairs';
import type { ColumnReport, Extremes, GroupReport, Report } from './report';

export function renderPage(report: Report): string {
  const { overall, columns, createdAt, set } = report;
  return pageOf(
    'Error rates by group',
    `<p class="lead">${number(overall.images)} images of ${number(overall.people)} people, ${dayOf(createdAt)}.${set === null ? '' : ` The pairs are those of the lists of ${escapeHtml(set)}.`}</p>
${overallSection(report)}
${columns.map((column) => columnSection(column, report)).join('\n')}
${readingSection(report)}
${systemSection(report)}`,
  );
}

function overallSection({ overall, pairs, defaultThreshold }: Report): string {
  const rows = overall.rates.map(({ threshold, falseMatch, falseNonMatch }) => ({
    head: threshold === defaultThreshold ? `${threshold} (default)` : String(threshold),
    cells: [rateCell(falseMatch), rateCell(falseNonMatch)],
  }));
  return `<section>
<h2>All images</h2>
${table({
  label: 'Error rates of all images',
  head: ['Threshold', 'FMR: different people match', 'FNMR: one person does not match'],
  rows,
})}
<p>${counted(pairs.genuine)} pairs of one person, from ${number(overall.genuine.people)} people, and ${counted(pairs.impostor)} pairs of different people, from ${number(overall.impostor.people)} people.</p>
${table({
  label: 'Images with a failure',
  head: ['Images', 'Count', 'Share'],
  rows: failureNames.map(([name, text]) => ({
    head: text,
    cells: [number(overall.failures[name].images), rateCell(overall.failures[name].rate)],
  })),
})}
</section>`;
}

const counted = ({ existing, compared }: PairCounts) =>
  compared < existing ? `a sample of ${number(compared)} of ${number(existing)}` : number(existing);

const failureNames = [
  ['noFace', 'No face found'],
  ['severalFaces', 'Several faces found'],
  ['unreadable', 'Rejected as an image'],
] as const;

function columnSection({ name, groups, across, spread, unlabeled }: ColumnReport, report: Report): string {
  const title = escapeHtml(name);
  const cells = [
    ...groups.map((group) => ({ head: escapeHtml(group.group), cell: group })),
    { head: 'Across groups', cell: across },
  ];
  const rates = (kind: 'falseMatch' | 'falseNonMatch', label: string) =>
    table({
      label: `${label} by ${title}`,
      caption: label,
      head: [title, ...report.overall.rates.map(({ threshold }) => `At ${threshold}`)],
      rows: cells.map(({ head, cell }) => ({
        head,
        cells: cell.rates.map((rate, t) => rateCell(rate[kind], highest(cells, t, kind))),
      })),
    });
  return `<section>
<h2>By ${title}</h2>
${countTable(title, groups, across)}
${unlabeled > 0 ? `<p>${number(unlabeled)} images have no value in this column.</p>` : ''}
${rates('falseMatch', 'FMR: different people match')}
${rates('falseNonMatch', 'FNMR: one person does not match')}
<h3>Spread</h3>
<ul>
${spread
  .flatMap(({ threshold, falseMatch, falseNonMatch }) => [
    spreadItem(`FMR at ${threshold}`, falseMatch),
    spreadItem(`FNMR at ${threshold}`, falseNonMatch),
  ])
  .join('\n')}
</ul>
</section>`;
}

function countTable(title: string, groups: ColumnReport['groups'], across: CellResult): string {
  const pairs = ({ genuine, impostor }: CellResult) => [number(genuine.pairs), number(impostor.pairs)];
  const failures = ({ failures }: GroupReport) =>
    failureNames.map(([name]) => `${number(failures[name].images)}, ${rateCell(failures[name].rate)}`);
  return table({
    label: `People, images and pairs by ${title}`,
    caption: 'People, images and pairs',
    head: [
      title,
      'People',
      'Images',
      ...failureNames.map(([, text]) => text),
      'Pairs of one person',
      'Pairs of different people',
    ],
    rows: [
      ...groups.map((group) => ({
        head: escapeHtml(group.group),
        cells: [number(group.people), number(group.images), ...failures(group), ...pairs(group)],
      })),
      { head: 'Across groups', cells: ['', '', '', '', '', ...pairs(across)] },
    ],
  });
}

/** The end of the scale of a column of rates. */
const highest = (
  cells: readonly { readonly cell: CellResult }[],
  t: number,
  kind: 'falseMatch' | 'falseNonMatch',
) => Math.max(...cells.map(({ cell }) => (cell.rates[t] as PairRates)[kind]?.interval[1] ?? 0));

function spreadItem(what: string, extremes: Extremes | null): string {
  if (!extremes) return `<li>${what}: too few groups to compare.</li>`;
  const { worst, best, ratio, separate } = extremes;
  const times = ratio === null ? `. ${escapeHtml(best)} has no errors` : `, ${digits(ratio)} times`;
  const certainty = separate ? 'Their intervals do not overlap.' : 'Their intervals overlap.';
  return `<li>${what}: highest for ${escapeHtml(worst)}, lowest for ${escapeHtml(best)}${times}. ${certainty}</li>`;
}

function readingSection({ minPeople }: Report): string {
  return `<section>
<h2>How to read this</h2>
<ul>
<li><strong>FMR</strong>, the false-match rate, is the proportion of pairs of different people whose similarity reaches the threshold. <strong>FNMR</strong>, the false non-match rate, is the proportion of pairs of one person whose similarity stays below it.</li>
<li>The FMR within a group is the one to judge a group by: impostors tend to resemble the person whom they claim to be. “Across groups” has the pairs of images of two groups.</li>
<li>Images without a face are in no pair. Where an image shows several faces, the largest face of the first image is compared with the most similar face of the second, as <code>POST /compare</code> does.</li>
<li>Brackets hold 95 % intervals, from drawing the people anew ${draws} times. Their upper limit is never below that of the rule of three: with no error among n people (FNMR) or pairs of people (FMR), a rate of 3 / n would still be plausible.</li>
<li>“Too few to say” means fewer than ${minPeople} people.</li>
<li>The bar shows rate and interval on the scale of its column. In a comparison of many groups, some intervals lie apart by chance.</li>
<li>The rates hold for these images. Other cameras, light, ages and attacks give other rates.</li>
</ul>
<h2>Personal data</h2>
<p>This page and <code>report.json</code> name no person and no file, but a small group may still identify someone. The labels, the names of the files, the images and exported scores are personal data. Keep them no longer than you need them.</p>
</section>`;
}

function systemSection({ system, defaultThreshold }: Report): string {
  return `<section>
<h2>What was measured</h2>
<dl>
${system.models
  .map(
    ({ id, license, trainingData }) =>
      `<dt>${escapeHtml(id)}</dt><dd>License: ${escapeHtml(license)}. Training data: ${escapeHtml(trainingData)}.</dd>`,
  )
  .join('\n')}
<dt>Precision</dt><dd>${system.precision}</dd>
<dt>Calibration</dt><dd>${escapeHtml(system.calibration)}</dd>
<dt>Default threshold</dt><dd>${defaultThreshold}</dd>
</dl>
</section>`;
}
