/**
 * The repository's rules with every duration divided, so that alerts that wait for half an hour can fire within a minute.
 * Durations are `for`, intervals of groups, ranges, offsets and how far `predict_linear` looks ahead. Thresholds stay as
 * they are, also those in seconds that an expression compares with a value: such a fault has to last as long as it really
 * would.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { ROOT } from '../../lib/paths.mjs';

export const MONITORING = join(ROOT, 'deploy', 'monitoring');
const RULES = join(MONITORING, 'rules');

/** @typedef {{ alert?: string, record?: string, expr: string, for?: string, labels?: object, annotations?: object }} Rule */
/** @typedef {{ groups: { name: string, interval?: string, rules: Rule[] }[] }} RuleFile */

const unitMs = { ms: 1, s: 1e3, m: 60e3, h: 3_600e3, d: 86_400e3, w: 604_800e3, y: 31_536_000e3 };
const unit = Object.keys(unitMs).join('|');
const term = new RegExp(`(\\d+)(${unit})`, 'g');

/** @param {string} duration of Prometheus, such as `1h30m` @returns {number} */
export const msOf = (duration) =>
  [...duration.matchAll(term)].reduce((sum, [, count, unit]) => sum + Number(count) * unitMs[unit], 0);

/** @param {string} duration @param {number} factor */
export const scaled = (duration, factor) => `${Math.max(1, Math.round(msOf(duration) / factor))}ms`;

const duration = new RegExp(`(?:\\d+(?:${unit}))+`, 'g');
/** Strings are skipped, because a label's value may look like a range. */
const place = new RegExp(
  `"(?:[^"\\\\]|\\\\.)*"|'(?:[^'\\\\]|\\\\.)*'|\\[[^\\]]*\\]|\\boffset\\s+-?${duration.source}`,
  'g',
);

/** `predict_linear` takes a time as a number of seconds. */
const horizon = /(\bpredict_linear\([^()]*,\s*)(\d+)(?=\s*\))/g;

/** @param {string} expr of PromQL @param {number} factor */
export const scaleExpression = (expr, factor) =>
  expr
    .replace(place, (text) =>
      /^["']/.test(text) ? text : text.replace(duration, (term) => scaled(term, factor)),
    )
    .replace(horizon, (_, call, seconds) => `${call}${Number(seconds) / factor}`);

/** @param {RuleFile} file @param {number} factor @returns {RuleFile} */
export const scaleRules = ({ groups }, factor) => ({
  groups: groups.map(({ rules, ...group }) => ({
    ...group,
    ...(group.interval && { interval: scaled(group.interval, factor) }),
    rules: rules.map((rule) => ({
      ...rule,
      expr: scaleExpression(rule.expr, factor),
      ...(rule.for && { for: scaled(rule.for, factor) }),
    })),
  })),
});

/** @returns {{ name: string, file: RuleFile }[]} the files of the repository */
export const readRules = () =>
  readdirSync(RULES)
    .filter((name) => name.endsWith('.rules.yaml'))
    .map((name) => ({ name, file: parse(readFileSync(join(RULES, name), 'utf8')) }));

/** All alerts of the repository by name. @returns {Map<string, Rule>} */
export const readAlerts = () =>
  new Map(
    readRules().flatMap(({ file }) =>
      file.groups.flatMap(({ rules }) =>
        rules.flatMap((rule) => (rule.alert === undefined ? [] : [[rule.alert, rule]])),
      ),
    ),
  );
