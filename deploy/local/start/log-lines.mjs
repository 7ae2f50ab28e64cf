// The tiers' log lines, prefixed with the tier's name: as text for a person, or as they are for a program.

import { duration } from '../../../gateway/harness/cli/progress.mjs';

const COLORS = /** @type {Record<string, number>} */ ({
  redis: 31,
  'redis-keys': 31,
  inference: 35,
  gateway: 36,
  site: 32,
});
const DEFAULT_COLOR = 33;

/** Names of pino's levels from warnings on (https://getpino.io); lower ones need no name. */
const LEVELS = /** @type {Record<string, string>} */ ({ 40: 'WARNING', 50: 'ERROR', 60: 'FATAL' });

/**
 * Lines that Redis prints at every start. The warning on overcommitted memory concerns the forks of a busy server; the
 * operations guide covers it, and a local start does not need it.
 */
const REDIS_PREAMBLE =
  /# (?:Reading config|oO0OoO0|Redis version=|Configuration loaded|Server initialized|WARNING Memory overcommit)/;
/** Lines that follow each order to shut down. The line with the signal stays. */
const REDIS_SHUTDOWN = /# (?:User requested shutdown|Redis is now ready to exit)/;
/** Process, role, date and time. The time is printed anyway, and a local start does not need the others. */
const REDIS_PREFIX = /^\d+:(?:[A-Z] \d+ \w+ \d+ [\d:.]+ [*#.-]|signal-handler \(\d+\)) /;

/**
 * Messages of every start and every request, in a few words. `omits` are fields that a person at the terminal does not
 * need; any other field follows the words.
 * @type {Record<string, { describe: (entry: Record<string, unknown>) => string, uses: string[], omits?: string[] }>}
 */
const ROUTINE = {
  request: {
    describe: ({ method, operation, status, ms }) => `${method} ${operation}  ${status} in ${ms} ms`,
    uses: ['method', 'operation', 'status', 'ms'],
    omits: ['stages', 'bytesIn'],
  },
  'device passed over': {
    describe: ({ device, reason }) => `does not use ${device}: ${reason}`,
    uses: ['device', 'reason'],
  },
  // `npm run models -- list` shows license and training data.
  'model in use': {
    describe: ({ id }) => `uses the model ${id}`,
    uses: ['id'],
    omits: ['license', 'trainingData'],
  },
  'starting workers': {
    describe: ({ workers, device }) => `starts ${workers} workers on ${device}`,
    uses: ['workers', 'device'],
  },
  'inference ready': {
    describe: ({ url, startMs }) => `ready at ${url} after ${duration(Number(startMs))}`,
    uses: ['url', 'startMs'],
    omits: ['backend', 'device', 'workers'],
  },
  'gateway ready': { describe: ({ url }) => `ready at ${url}`, uses: ['url'] },
  'site listening': { describe: ({ url }) => `ready at ${url}`, uses: ['url'] },
};

/** @typedef {import('../../../gateway/harness/cli/settings.mjs').LogFormat} LogFormat */

/**
 * @param {import('../../../gateway/harness/cli/terminal.mjs').Terminal} terminal
 * @param {{ format: LogFormat, colored: boolean, now?: () => Date }} options
 * @returns {(tier: string, line: string) => void}
 */
export function logLines(terminal, { format, colored, now = () => new Date() }) {
  /** @param {string} text @param {string} tier */
  const inColor = (text, tier) => (colored ? `\x1b[${COLORS[tier] ?? DEFAULT_COLOR}m${text}\x1b[0m` : text);
  return (tier, line) => {
    if (tier.startsWith('redis') && (REDIS_PREAMBLE.test(line) || REDIS_SHUTDOWN.test(line))) return;
    terminal.line(
      format === 'json'
        ? `${inColor(`[${tier}]`, tier)} ${line}`
        : `${timeOf(now())} ${inColor(tier.padEnd(10), tier)} ${inWords(line)}`,
    );
  };
}

/** @param {Date} date */
const timeOf = (date) => date.toTimeString().slice(0, 8);

/** @param {string} line @returns {string} as it is, unless it is a JSON object with a message */
function inWords(line) {
  const entry = parse(line);
  if (typeof entry?.msg !== 'string') return line.replace(REDIS_PREFIX, '');
  const { level, time, msg, ...details } = entry;
  const candidate = ROUTINE[msg];
  const routine = candidate?.uses.every((name) => name in details) ? candidate : undefined;
  const shown = [...(routine?.uses ?? []), ...(routine?.omits ?? [])];
  const said = Object.entries(details).flatMap(([name, value]) => {
    const text = shown.includes(name) ? '' : wordsOf(value);
    return text === '' ? [] : [`${name}=${text}`];
  });
  return [LEVELS[String(level)], routine?.describe(details) ?? msg, ...said].filter(Boolean).join('  ');
}

/** @param {string} line @returns {Record<string, unknown> | undefined} */
function parse(line) {
  if (!line.startsWith('{')) return undefined;
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/** @param {unknown} value @returns {string} empty for an empty object */
function wordsOf(value) {
  if (typeof value === 'string') return /\s/.test(value) ? JSON.stringify(value) : value;
  if (typeof value !== 'object' || value === null) return String(value);
  if ('message' in value) return JSON.stringify(value.message);
  return Object.keys(value).length === 0 ? '' : JSON.stringify(value);
}
