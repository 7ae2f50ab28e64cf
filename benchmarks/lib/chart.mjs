/**
 * Small line charts as SVG: axes with round ticks, several series told apart by dashes and markers as well as by
 * colour, text that stays text, light and dark. The same input gives the same bytes, so charts can be checked in.
 */

/**
 * @typedef {object} Series
 * @property {string} name for the legend
 * @property {readonly (readonly [number, number])[]} points x and y, ordered by x; points without a finite y leave a gap
 */

/**
 * @typedef {object} Axis
 * @property {string} label with its unit
 * @property {boolean | undefined} [log] logarithmic: values must be above 0
 */

/**
 * @typedef {object} Chart
 * @property {string} title
 * @property {string} description what is to be seen, for those who do not see it
 * @property {Axis} x
 * @property {Axis} y
 * @property {readonly Series[]} series at most six
 * @property {readonly { axis: 'x' | 'y', value: number, label: string }[]} [lines] such as a target
 */

const WIDTH = 720;
const HEIGHT = 400;
const PLOT = Object.freeze({ left: 70, right: 700, top: 56, bottom: 318 });

/** Okabe and Ito's colours for all kinds of sight, darkened where white paper needs it; brighter ones on black. */
const LOOKS = [
  { light: '#0060a0', dark: '#56b4e9', dash: '', marker: 'circle' },
  { light: '#b04a00', dark: '#f0a040', dash: '8 4', marker: 'square' },
  { light: '#00704f', dark: '#30c090', dash: '2 3', marker: 'triangle' },
  { light: '#9a3f78', dark: '#e090c0', dash: '10 3 2 3', marker: 'diamond' },
  { light: '#6a5a00', dark: '#e5d850', dash: '5 5', marker: 'cross' },
  { light: '#505050', dark: '#b8b8b8', dash: '1 4', marker: 'ring' },
];

/**
 * @param {Chart} chart
 * @returns {string} a whole SVG file
 * @throws {RangeError} without points, with more series than looks, or with values that a logarithm does not have
 */
export function renderChart({ title, description, x, y, series, lines = [] }) {
  if (series.length > LOOKS.length) throw new RangeError(`A chart has at most ${LOOKS.length} series`);
  const points = series.flatMap((one) => one.points.filter(([, value]) => Number.isFinite(value)));
  const xValues = [...points.map(([value]) => value), ...valuesOf(lines, 'x')];
  const yValues = [...points.map(([, value]) => value), ...valuesOf(lines, 'y')];
  const xScale = scaleOf(xValues, { log: x.log, from: PLOT.left, to: PLOT.right });
  const yScale = scaleOf(yValues, { log: y.log, from: PLOT.bottom, to: PLOT.top });
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-labelledby="t d" font-family="system-ui, sans-serif" font-size="12">`,
    `<title id="t">${escaped(title)}</title>`,
    `<desc id="d">${escaped(description)}</desc>`,
    style(series.length),
    `<rect class="paper" width="${WIDTH}" height="${HEIGHT}"/>`,
    text(PLOT.left, 22, title, 'class="title" font-size="15" font-weight="600"'),
    ...legend(series),
    ...xAxis(xScale, x.label),
    ...yAxis(yScale, y.label),
    ...lines.map((line) => reference(line, xScale, yScale)),
    ...series.map((one, i) => curve(one, i, xScale, yScale)),
    '</svg>',
  ].join('\n')}\n`;
}

/** @param {NonNullable<Chart['lines']>} lines @param {'x' | 'y'} axis */
const valuesOf = (lines, axis) => lines.filter((line) => line.axis === axis).map(({ value }) => value);

/** @typedef {{ at(value: number): number, ticks: number[] }} Scale */

/**
 * @param {readonly number[]} values
 * @param {{ log?: boolean | undefined, from: number, to: number }} options pixels
 * @returns {Scale}
 */
function scaleOf(values, { log = false, from, to }) {
  if (values.length === 0) throw new RangeError('A chart needs at least one point');
  if (log && values.some((value) => value <= 0)) throw new RangeError('A logarithm needs values above 0');
  const ticks = log ? logTicks(values) : niceTicks(Math.min(0, ...values), Math.max(...values));
  const [low, high] = [ticks[0], ticks[ticks.length - 1]].map((value) => (log ? Math.log10(value) : value));
  const at = (/** @type {number} */ value) =>
    from + (((log ? Math.log10(value) : value) - low) / (high - low)) * (to - from);
  return { at, ticks };
}

/**
 * Four to eight round steps that hold everything between two values.
 * @param {number} low
 * @param {number} high
 */
export function niceTicks(low, high) {
  const span = high > low ? high - low : Math.abs(high) || 1;
  const rough = span / 6;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 2.5, 5].find((factor) => factor * power >= rough) ?? 10);
  const [first, last] = [Math.floor(low / step), Math.ceil((low + span) / step)];
  // Multiples, not sums: sums would gather errors of rounding.
  return Array.from({ length: last - first + 1 }, (_, i) => Number(((first + i) * step).toPrecision(12)));
}

/** 1, 2 and 5 of each power of ten that is needed. @param {readonly number[]} values */
export function logTicks(values) {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const all = [];
  for (let power = Math.floor(Math.log10(low)); power <= Math.ceil(Math.log10(high)); power++) {
    for (const factor of [1, 2, 5]) all.push(Number((factor * 10 ** power).toPrecision(3)));
  }
  const first = all.findLastIndex((tick) => tick <= low);
  const last = all.findIndex((tick) => tick >= high);
  return all.slice(first, Math.max(last, first + 1) + 1);
}

/** @param {number} count of series */
function style(count) {
  const rules = (/** @type {'light' | 'dark'} */ mode) =>
    LOOKS.slice(0, count)
      .map((look, i) => `.s${i}{stroke:${look[mode]}}.f${i}{fill:${look[mode]}}`)
      .join('');
  const page = (/** @type {string} */ ink, /** @type {string} */ paper, /** @type {string} */ rule) =>
    `text{fill:${ink}}.paper{fill:${paper}}.rule{stroke:${rule}}.axis,.target{stroke:${ink}}.ring{fill:${paper}}`;
  return `<style>${page('#1f2328', '#ffffff', '#d8dee4')}${rules('light')}@media(prefers-color-scheme:dark){${page('#e6edf3', '#0d1117', '#30363d')}${rules('dark')}}</style>`;
}

/** @param {Scale} scale @param {string} label */
function xAxis({ at, ticks }, label) {
  const line = `<path class="axis" d="M${PLOT.left} ${PLOT.bottom}H${PLOT.right}"/>`;
  const marks = ticks.flatMap((tick) => [
    `<path class="rule" d="M${px(at(tick))} ${PLOT.top}V${PLOT.bottom}"/>`,
    text(at(tick), PLOT.bottom + 17, format(tick), 'text-anchor="middle"'),
  ]);
  const middle = (PLOT.left + PLOT.right) / 2;
  return [...marks, line, text(middle, PLOT.bottom + 38, label, 'text-anchor="middle"')];
}

/** @param {Scale} scale @param {string} label */
function yAxis({ at, ticks }, label) {
  const marks = ticks.flatMap((tick) => [
    `<path class="rule" d="M${PLOT.left} ${px(at(tick))}H${PLOT.right}"/>`,
    text(PLOT.left - 8, at(tick) + 4, format(tick), 'text-anchor="end"'),
  ]);
  return [...marks, text(PLOT.left, PLOT.top - 14, label)];
}

/** @param {NonNullable<Chart['lines']>[number]} line @param {Scale} x @param {Scale} y */
function reference({ axis, value, label }, x, y) {
  const along =
    axis === 'x'
      ? `M${px(x.at(value))} ${PLOT.top}V${PLOT.bottom}`
      : `M${PLOT.left} ${px(y.at(value))}H${PLOT.right}`;
  const words =
    axis === 'x'
      ? text(x.at(value) - 5, PLOT.top + 12, label, 'text-anchor="end" font-style="italic"')
      : text(PLOT.left + 6, y.at(value) - 5, label, 'font-style="italic"');
  return `<path class="target" stroke-width="1.2" stroke-dasharray="3 3" d="${along}"/>${words}`;
}

/** @param {Series} series @param {number} index @param {Scale} x @param {Scale} y */
function curve({ points }, index, x, y) {
  let path = '';
  let pen = 'M';
  const markers = [];
  for (const [xValue, yValue] of points) {
    if (!Number.isFinite(yValue)) {
      pen = 'M';
      continue;
    }
    const [atX, atY] = [x.at(xValue), y.at(yValue)];
    path += `${pen}${px(atX)} ${px(atY)}`;
    pen = 'L';
    markers.push([atX, atY]);
  }
  // Beyond some dozens of points the dashes tell series apart, and markers would hide the line.
  const every = Math.ceil(markers.length / 24);
  const drawn = markers.filter((_, i) => i % every === 0).map(([atX, atY]) => marker(index, atX, atY));
  return `<g>${stroke(index, path)}${drawn.join('')}</g>`;
}

/** @param {number} index @param {string} path */
function stroke(index, path) {
  const { dash } = LOOKS[index];
  const dashes = dash ? ` stroke-dasharray="${dash}"` : '';
  return `<path class="s${index}" fill="none" stroke-width="2" stroke-linejoin="round"${dashes} d="${path}"/>`;
}

/** @param {number} index @param {number} x @param {number} y */
function marker(index, x, y) {
  const at = `transform="translate(${px(x)} ${px(y)})"`;
  switch (LOOKS[index].marker) {
    case 'circle':
      return `<circle class="f${index}" r="3.5" ${at}/>`;
    case 'square':
      return `<path class="f${index}" d="M-3.2-3.2H3.2V3.2H-3.2Z" ${at}/>`;
    case 'triangle':
      return `<path class="f${index}" d="M0-4.4L4.2 3.4H-4.2Z" ${at}/>`;
    case 'diamond':
      return `<path class="f${index}" d="M0-4.6L4.6 0L0 4.6L-4.6 0Z" ${at}/>`;
    case 'cross':
      return `<path class="s${index}" stroke-width="2" d="M-3.4-3.4L3.4 3.4M3.4-3.4L-3.4 3.4" ${at}/>`;
    default:
      return `<circle class="s${index} ring" r="3.5" stroke-width="1.6" ${at}/>`;
  }
}

/** @param {readonly Series[]} series */
function legend(series) {
  const width = (PLOT.right - PLOT.left) / Math.max(3, series.length);
  return series.flatMap(({ name }, i) => {
    const [x, y] = [PLOT.left + i * width, HEIGHT - 18];
    return [stroke(i, `M${px(x)} ${y}H${px(x + 30)}`), marker(i, x + 15, y), text(x + 38, y + 4, name)];
  });
}

/** @param {number} x @param {number} y @param {string} content @param {string} [attributes] */
const text = (x, y, content, attributes = '') =>
  `<text x="${px(x)}" y="${px(y)}"${attributes ? ` ${attributes}` : ''}>${escaped(content)}</text>`;

/** @param {number} value tenths of a pixel are enough */
const px = (value) => String(Number(value.toFixed(1)));

/** @param {number} value */
const format = (value) =>
  Math.abs(value) >= 10_000 ? `${Number((value / 1000).toPrecision(4))}k` : String(value);

/** @param {string} words */
const escaped = (words) =>
  words.replace(/[&<>"]/g, (sign) => `&${{ '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot' }[sign]};`);
