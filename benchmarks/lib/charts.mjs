/** Line charts as SVG files, drawn by Observable Plot in a DOM that only exists in memory. */
import * as Plot from '@observablehq/plot';
import { parseHTML } from 'linkedom';

/** @typedef {import('./types').Chart} Chart */

const { document } = parseHTML('<!doctype html><html><body></body></html>');

/** Okabe and Ito's colors, darker on white and brighter on black, with dashes for readers who see no color. */
const SERIES = [
  { light: '#0060a0', dark: '#56b4e9', dashes: 'none', sample: '───' },
  { light: '#b04a00', dark: '#f0a040', dashes: '8 4', sample: '– –' },
  { light: '#00704f', dark: '#30c090', dashes: '2 3', sample: '···' },
  { light: '#9a3f78', dark: '#e090c0', dashes: '10 3 2 3', sample: '– ·' },
];
/** Markers on denser lines would hide the line. */
const MOST_MARKERS = 24;

const colors = (/** @type {'light' | 'dark'} */ mode) =>
  SERIES.map((style, i) => `--series-${i}:${style[mode]}`).join(';');
const STYLE = `svg{color:#1f2328;background:#fff;${colors('light')}}@media(prefers-color-scheme:dark){svg{color:#e6edf3;background:#0d1117;${colors('dark')}}}`;

/**
 * @param {Chart} chart
 * @returns {string} a whole SVG file; the same chart gives the same bytes
 * @throws {RangeError} for more series than there are styles
 */
export function renderChart({ title, description, x, y, series, lines = [] }) {
  if (series.length > SERIES.length) throw new RangeError(`A chart has at most ${SERIES.length} series.`);
  const plotted = series.map(({ points }) => ({
    points: points.flatMap(([at, value]) => (value === null ? [] : [{ at, value }])),
  }));
  const log = { type: /** @type {const} */ ('log'), tickFormat: 'd' };
  const svg = Plot.plot({
    document,
    width: 720,
    height: 400,
    marginLeft: 56,
    marginRight: 24,
    marginTop: 76,
    marginBottom: 44,
    ariaLabel: title,
    ariaDescription: description,
    style: { fontSize: '12px' },
    x: { label: x.label, nice: true, zero: true, labelArrow: 'none', labelAnchor: 'center' },
    y: { label: null, nice: true, grid: true, ...(y.log ? log : { zero: true }) },
    marks: [
      label(title, { dx: -50, dy: -70, fontSize: 15, fontWeight: 600 }),
      label(y.label, { dx: -50, dy: -22 }),
      ...series.map(({ name }, i) =>
        label(`${SERIES[i].sample} ${name}`, { dx: -50 + 130 * i, dy: -44, fill: `var(--series-${i})` }),
      ),
      ...lines.flatMap(referenceLine),
      ...plotted.flatMap(({ points }, i) => curve(points, i)),
    ],
  });
  const style = document.createElement('style');
  style.textContent = STYLE;
  svg.append(style);
  const text = svg.outerHTML.replaceAll(/\n\s*/g, ' ');
  return `${text.replace('<svg ', '<svg xmlns="http://www.w3.org/2000/svg" role="img" ')}\n`;
}

/** @param {{ axis: 'x' | 'y', value: number, label: string }} line */
const referenceLine = ({ axis, value, label }) =>
  axis === 'x'
    ? [
        Plot.ruleX([value], { strokeDasharray: '3 3' }),
        Plot.text([label], {
          x: value,
          frameAnchor: 'top-right',
          dx: -5,
          fontStyle: 'italic',
          text: (d) => d,
        }),
      ]
    : [
        Plot.ruleY([value], { strokeDasharray: '3 3' }),
        Plot.text([label], {
          y: value,
          frameAnchor: 'left',
          dx: 6,
          dy: -8,
          fontStyle: 'italic',
          text: (d) => d,
        }),
      ];

/** A line of text above the plot. @param {string} text @param {Plot.TextOptions} options */
const label = (text, options) =>
  Plot.text([text], { frameAnchor: 'top-left', text: (d) => d, fontWeight: 600, ...options });

/** @param {readonly { at: number, value: number }[]} points @param {number} i */
const curve = (points, i) => [
  Plot.lineY(points, {
    x: 'at',
    y: 'value',
    stroke: `var(--series-${i})`,
    strokeWidth: 2,
    strokeDasharray: SERIES[i].dashes,
    marker: points.length > MOST_MARKERS ? 'none' : 'dot',
  }),
];
