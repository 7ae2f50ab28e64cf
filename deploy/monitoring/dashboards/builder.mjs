// Turns rows of panels into the JSON that Grafana imports (schema of Grafana 10 and later). It lays out panels from
// left to right over 24 columns. Ids, positions and uids follow from order and names, so the same source always gives
// the same file.

/**
 * @typedef {object} Query
 * @property {string} expr PromQL; `$__rate_interval` and the dashboard's variables may be used
 * @property {string} legend such as `{{operation}}`
 *
 * @typedef {object} Bound a line that a value should not cross
 * @property {number} at in the unit of the panel
 * @property {'above' | 'below'} [bad] on which side of it things are bad; default `above`
 *
 * @typedef {object} Panel
 * @property {'timeseries' | 'stat'} type
 * @property {string} title
 * @property {string} description what it shows and what to do about it
 * @property {string} unit by Grafana's name: s, percentunit, reqps, ops, bytes, decmbytes, celsius, short
 * @property {Query[]} queries
 * @property {Bound} [bound]
 * @property {number} [width] columns of 24
 * @property {number} [max] end of the scale
 *
 * @typedef {object} Row
 * @property {string} title
 * @property {Panel[]} panels
 *
 * @typedef {object} Dashboard
 * @property {string} name part of its uid and of its file's name
 * @property {string} title
 * @property {string} description
 * @property {string} instancesOf metric whose labels fill the variables `namespace` and `instance`
 * @property {Row[]} rows
 */

const COLUMNS = 24;
const HEIGHT = { timeseries: 8, stat: 4 };
const DATASOURCE = { type: 'prometheus', uid: `\${datasource}` };
const [GOOD, BAD] = ['green', 'red'];

/** @param {Omit<Panel, 'type'>} panel a chart over time */
export const chart = (panel) => /** @type {Panel} */ ({ type: 'timeseries', width: 8, ...panel });

/** @param {Omit<Panel, 'type'>} panel the newest value, large */
export const figure = (panel) => /** @type {Panel} */ ({ type: 'stat', width: 4, ...panel });

/** @param {Dashboard} dashboard */
export function build({ name, title, description, instancesOf, rows }) {
  return {
    uid: `presenza-${name}`,
    title,
    description,
    tags: ['presenza'],
    schemaVersion: 39,
    editable: false,
    graphTooltip: 1,
    refresh: '30s',
    time: { from: 'now-6h', to: 'now' },
    timezone: 'utc',
    links: [{ type: 'dashboards', title: 'Presenza', tags: ['presenza'], asDropdown: true, keepTime: true }],
    templating: { list: variables(instancesOf) },
    panels: layOut(rows),
  };
}

/** @param {string} metric */
function variables(metric) {
  /** @param {string} name @param {string} query */
  const labels = (name, query) => ({
    name,
    type: 'query',
    datasource: DATASOURCE,
    query: { query, refId: name },
    definition: query,
    refresh: 2,
    sort: 1,
    multi: true,
    includeAll: true,
    // Also matches series without this label, as on one machine.
    allValue: '.*',
    current: { text: ['All'], value: ['$__all'] },
  });
  return [
    { name: 'datasource', type: 'datasource', query: 'prometheus', current: {} },
    labels('namespace', `label_values(${metric}, namespace)`),
    labels('instance', `label_values(${metric}{namespace=~"$namespace"}, instance)`),
  ];
}

/** @param {Row[]} rows */
function layOut(rows) {
  let [id, y] = [0, 0];
  return rows.flatMap(({ title, panels }) => {
    const heading = {
      id: ++id,
      type: 'row',
      title,
      collapsed: false,
      gridPos: { x: 0, y: y++, w: COLUMNS, h: 1 },
      panels: [],
    };
    let [x, height] = [0, 0];
    const placed = panels.map((panel) => {
      const w = panel.width ?? COLUMNS;
      if (x + w > COLUMNS) {
        [x, y, height] = [0, y + height, 0];
      }
      const h = HEIGHT[panel.type];
      const gridPos = { x, y, w, h };
      x += w;
      height = Math.max(height, h);
      return { id: ++id, gridPos, ...rendered(panel) };
    });
    y += height;
    return [heading, ...placed];
  });
}

/** @param {Panel} panel */
function rendered({ type, title, description, unit, queries, bound, max }) {
  const chartOnly = {
    lineWidth: 1,
    fillOpacity: 8,
    showPoints: 'never',
    thresholdsStyle: { mode: bound ? 'dashed' : 'off' },
  };
  return {
    type,
    title,
    description,
    datasource: DATASOURCE,
    fieldConfig: {
      defaults: {
        unit,
        min: 0,
        ...(max !== undefined && { max }),
        thresholds: { mode: 'absolute', steps: steps(bound) },
        ...(type === 'timeseries' && { custom: chartOnly }),
      },
      overrides: [],
    },
    options:
      type === 'stat'
        ? {
            reduceOptions: { calcs: ['lastNotNull'], fields: '', values: false },
            colorMode: bound ? 'value' : 'none',
          }
        : { legend: { displayMode: 'list', placement: 'bottom' }, tooltip: { mode: 'multi', sort: 'desc' } },
    targets: queries.map(({ expr, legend }, index) => ({
      refId: String.fromCharCode('A'.charCodeAt(0) + index),
      datasource: DATASOURCE,
      expr,
      legendFormat: legend,
    })),
  };
}

/** @param {Bound} [bound] */
function steps(bound) {
  if (!bound) return [{ color: GOOD, value: null }];
  const [below, above] = bound.bad === 'below' ? [BAD, GOOD] : [GOOD, BAD];
  return [
    { color: below, value: null },
    { color: above, value: bound.at },
  ];
}
