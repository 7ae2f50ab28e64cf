/** Renders a report as one HTML page without scripts or external resources, in the style of the other evaluation. */
import {
  bar,
  number as count,
  dayOf,
  digits,
  escapeHtml,
  interval,
  pageOf,
  percent,
  table,
} from '../../../dist/evaluation/report/page-parts.js';

/** @typedef {import('./types').Report} Report */
/** @typedef {import('./types').Cell} Cell */
/** @typedef {import('./types').Section} Section */

/** Failures that the page lists; the JSON has all. */
const MOST_FAILURES = 50;
const NOT_MEASURED = 'not measured';

const plural = (/** @type {number} */ n, /** @type {string} */ noun) =>
  `${count(n)} ${noun}${n === 1 ? '' : 's'}`;

/** @param {Report} report */
export function renderPage(report) {
  const { createdAt, conditions, prompted, unprompted } = report;
  return pageOf(
    'Liveness errors on your recordings',
    `<p class="lead">${plural(sizeOf(prompted), 'recording')} with prompts and ${count(sizeOf(unprompted))} without, policy ${escapeHtml(String(conditions.policy.level))}, ${dayOf(createdAt)}.</p>
${promptedSection(prompted)}
${unpromptedSection(unprompted)}
${failureSection(report)}
${readingSection()}
${conditionSection(report)}`,
  );
}

/** @param {Section} section */
const sizeOf = ({ presentation, injection, bonaFide }) =>
  [...presentation.species, ...injection.species, bonaFide.all].reduce(
    (sum, cell) => sum + cell.recordings,
    0,
  );

/** @param {Section} section */
function promptedSection({ presentation, injection, bonaFide, rules }) {
  return `<section>
<h2>The whole check</h2>
<p>These recordings follow prompts, so the gateway's guidance and its whole verdict judged them.</p>
${attackTable({ title: 'Presentation attacks: APCER', rate: 'APCER', attacks: presentation })}
${attackTable({ title: 'Injection attacks: APCER', rate: 'APCER', attacks: injection })}
${bonaFideTables({ title: 'Bona fide presentations: BPCER', rate: 'BPCER', bonaFide })}
${rules.notApplied.length > 0 ? `<p>Rules that did not judge, because a recording has neither the calls of a page nor its light challenge: ${rules.notApplied.join(', ')}.</p>` : ''}
</section>`;
}

/** @param {Section} section */
function unpromptedSection(section) {
  if (sizeOf(section) === 0) return '';
  const { presentation, injection, bonaFide, rules } = section;
  return `<section>
<h2>Recordings without prompts</h2>
<p><strong>These are not error rates of the product.</strong> Nobody requested a movement in these recordings, so only the rules that need none judged them. The whole check rejects more.</p>
${attackTable({ title: 'Presentation attacks: accepted by these rules', rate: 'Share accepted', attacks: presentation })}
${attackTable({ title: 'Injection attacks: accepted by these rules', rate: 'Share accepted', attacks: injection })}
${bonaFideTables({ title: 'Bona fide presentations: rejected by these rules', rate: 'Share rejected', bonaFide })}
<p>Rules that judged: ${rules.applied.join(', ')}. Recordings of one image leave out repeatedImages.</p>
<p>Rules that did not judge: ${rules.notApplied.join(', ')}.</p>
</section>`;
}

/** @param {{ title: string, rate: string, attacks: import('./types').Attacks }} options */
function attackTable({ title, rate, attacks: { species, worst } }) {
  if (species.length === 0) return `<h3>${title}</h3>\n<p>${rate}: ${NOT_MEASURED}.</p>`;
  const summary = worst?.errorRate
    ? `${rate}: <strong>${percent(worst.errorRate.rate)}</strong>, at most ${percent(worst.errorRate.interval[1])} (upper end of the 95 % interval). This is the rate of the worst species, “${escapeHtml(worst.name)}”.`
    : 'No recording has a response.';
  return `<h3>${title}</h3>
<p>${summary}</p>
${cellTable({ title, first: 'Species', rate, errors: 'Accepted', nonResponse: 'No response (APNRR)', cells: species })}`;
}

/** @param {{ title: string, rate: string, bonaFide: Section['bonaFide'] }} options */
function bonaFideTables({ title, rate, bonaFide: { all, groups, devices } }) {
  if (all.recordings === 0) return `<h3>${title}</h3>\n<p>${rate}: ${NOT_MEASURED}.</p>`;
  const columns = { rate, errors: 'Rejected', nonResponse: 'No response (BPNRR)' };
  const by = (/** @type {string} */ first, /** @type {readonly Cell[]} */ cells) =>
    cells.length > 0
      ? cellTable({ title: `${title}, by ${first.toLowerCase()}`, first, ...columns, cells })
      : '';
  return `<h3>${title}</h3>
${cellTable({ title, first: 'Bona fide', ...columns, cells: [all] })}
${by('Group', groups)}
${by('Device', devices)}`;
}

/** @param {{ title: string, first: string, rate: string, errors: string, nonResponse: string, cells: readonly Cell[] }} options */
function cellTable({ title, first, rate, errors, nonResponse, cells }) {
  const most = Math.max(...cells.map(({ errorRate }) => errorRate?.interval[1] ?? 0));
  return table({
    label: title,
    head: [first, 'Recordings', 'Subjects', rate, errors, nonResponse, 'Rules that rejected'],
    rows: cells.map((cell) => ({
      head: escapeHtml(cell.name),
      cells: [
        count(cell.recordings),
        count(cell.subjects),
        cell.errorRate ? `${rateCell(cell.errorRate)} ${bar(cell.errorRate, most)}` : NOT_MEASURED,
        `${count(cell.errors)} of ${count(cell.responses)}`,
        `${count(cell.nonResponses)}, ${cell.nonResponseRate ? rateCell(cell.nonResponseRate) : NOT_MEASURED}`,
        cell.reasons.map(([name, times]) => `${escapeHtml(name)} ${count(times)}`).join('<br>') || '–',
      ],
    })),
  });
}

/** @param {import('../report/proportion').Proportion} rate */
const rateCell = (rate) => `${percent(rate.rate)} <span class="interval">${interval(rate)}</span>`;

/** @param {Report} report */
function failureSection({ failures }) {
  if (failures.length === 0) return '';
  const items = failures.slice(0, MOST_FAILURES).map(({ message }) => `<li>${escapeHtml(message)}</li>`);
  const more =
    failures.length > MOST_FAILURES ? `<p>report.json lists all ${count(failures.length)}.</p>` : '';
  return `<section>
<h2>Not evaluated</h2>
<p>${plural(failures.length, 'recording')} could not be read and ${failures.length === 1 ? 'is' : 'are'} in no rate.</p>
<ul>
${items.join('\n')}
</ul>
${more}
</section>`;
}

const readingSection = () => `<section>
<h2>How to read it</h2>
<ul>
<li><strong>APCER</strong>, by ISO/IEC 30107-3: the proportion of attacks of one species that the check accepts as live. The APCER of several species is that of the worst one. Judge the check by the upper end of its interval.</li>
<li><strong>BPCER</strong>: the proportion of bona fide presentations that the check rejects. Only recordings of real people in front of a camera are bona fide.</li>
<li><strong>Presentation attacks</strong> happen in front of the camera, <strong>injection attacks</strong> (CEN/TS 18099) replace its images.</li>
<li><strong>No response</strong>: the guidance did not accept every movement, no frame shows a face, or no frame can be decoded. The check does not accept such a recording, and APCER and BPCER leave it out.</li>
<li><strong>Rules that rejected</strong> are those of the verdict. Several can reject one recording, and <code>risk</code> means that only the sum of smaller suspicions did.</li>
<li><strong>Brackets</strong> hold the 95 % interval by Clopper and Pearson. Recordings of one subject are not independent: where subjects have several, the interval also covers drawing the subjects anew.</li>
<li>The figures hold for the species, devices and people that you recorded, and say nothing about other attacks.</li>
</ul>
</section>`;

/** @param {Report} report */
function conditionSection({ conditions, machine, createdAt }) {
  const { policy, models } = conditions;
  const list = (/** @type {Record<string, unknown>} */ values) =>
    Object.entries(values)
      .map(([name, value]) => `${name} ${value}`)
      .join(', ');
  /** @type {[string, string][]} */
  const items = [
    ['Version', `${conditions.version}, commit ${conditions.commit}`],
    ['Policy', list(policy)],
    [
      'Thresholds',
      `Those of the rules of this commit (gateway/src/services/liveness/verdict/rules.ts), SHA-256 of the build: ${conditions.rules}`,
    ],
    ['Models', list(models)],
    ['Runtime', `${conditions.device}, ${conditions.precision}`],
    [
      'Machine',
      `${machine.cpu}, ${machine.cores} cores, ${digits(machine.memoryGiB)} GiB, ${machine.os}, Node ${machine.node}`,
    ],
    ['Date', createdAt],
  ];
  return `<section>
<h2>Conditions</h2>
<dl>
${items.map(([name, text]) => `<dt>${name}</dt><dd>${escapeHtml(text)}</dd>`).join('\n')}
</dl>
</section>`;
}
