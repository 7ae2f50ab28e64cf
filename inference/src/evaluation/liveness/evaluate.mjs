/**
 * Evaluates the recordings of a folder. Each result is a line of results.jsonl, so that a run that was stopped continues
 * where it ended; recordings that failed are tried again.
 */
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { InputError } from '../../../dist/evaluation/input/input-error.js';
import { describeMachine } from './circumstances.mjs';
import { sectionOf } from './rates.mjs';
import { replay } from './replay.mjs';
import { openSource } from './source.mjs';
import { detectJob, framesJob, mapConcurrently } from './tier-client.mjs';

/** @typedef {import('./types').Row} Row */
/** @typedef {import('./types').Failure} Failure */

/** The operations of the tier that a replay needs. @param {import('./tier-client.mjs').Client} client */
export const partsOf = (client) => ({
  findFaces: async (/** @type {Buffer} */ jpeg) => {
    const { status, reply } = await client.request(detectJob(jpeg, 'pose'), [200, 422]);
    return status === 200 ? reply.faces : undefined;
  },
  measure: async ({ frames, challenges }) => {
    const images = frames.map(({ image }) => image);
    const times = frames.map(({ timeMs }) => timeMs);
    const spans = challenges.map(({ kind, fromMs, toMs }) => `${kind}@${fromMs}-${toMs}`);
    return (await client.request(framesJob(images, times, spans))).reply;
  },
});

/**
 * @param {object} options
 * @param {string} options.folder of the recordings
 * @param {string} options.out folder of the results
 * @param {readonly import('./types').Recording[]} options.recordings
 * @param {import('./types').Conditions} options.conditions
 * @param {import('./replay.mjs').Parts} options.parts
 * @param {number} options.concurrency
 * @param {(line: string) => void} options.log
 * @returns {Promise<import('./types').Report>}
 * @throws InputError if the results in `out` belong to other conditions
 */
export async function evaluate({ folder, out, recordings, conditions, parts, concurrency, log }) {
  const kept = new Results(out, conditions);
  const left = recordings.filter(({ path }) => !kept.rows.has(path));
  if (left.length < recordings.length)
    log(`${recordings.length - left.length} of ${recordings.length} recordings have results already.`);
  /** @type {Failure[]} */
  const failures = [];
  let done = 0;
  await mapConcurrently(left, concurrency, async ({ path }) => {
    const row = await rowOf(path, folder, parts);
    if ('message' in row) failures.push(row);
    else kept.add(row);
    if ('message' in row) log(row.message);
    if (++done % 25 === 0) log(`${done} of ${left.length}`);
  });
  return reportOf({ recordings, rows: kept.rows, conditions, failures });
}

/** @param {string} path @param {string} folder @param {import('./replay.mjs').Parts} parts @returns {Promise<Row | Failure>} */
async function rowOf(path, folder, parts) {
  try {
    return { path, ...(await replay(await openSource(join(folder, path)), parts)) };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { path, message: error instanceof InputError ? message : `${path}: ${message}` };
  }
}

/** The lines of results.jsonl: the conditions, then a row for each recording. */
class Results {
  /** @type {Map<string, Row>} */
  rows = new Map();

  /** @param {string} folder @param {import('./types').Conditions} conditions @throws InputError */
  constructor(folder, conditions) {
    this.file = join(folder, 'results.jsonl');
    mkdirSync(folder, { recursive: true });
    if (!existsSync(this.file)) writeLine(this.file, conditions);
    const [first, ...lines] = parseLines(this.file);
    if (!isDeepStrictEqual(first, conditions))
      throw new InputError(
        `${this.file} has the results of another version, policy or model: choose another --out folder, or delete the file.`,
      );
    for (const row of lines) this.rows.set(row.path, row);
  }

  /** @param {Row} row */
  add(row) {
    this.rows.set(row.path, row);
    appendFileSync(this.file, `${JSON.stringify(row)}\n`);
  }
}

/** @param {string} file @param {object} value */
function writeLine(file, value) {
  writeFileSync(file, `${JSON.stringify(value)}\n`, { mode: 0o600 });
}

/** A process that was killed may leave half of the last line, which is dropped. @param {string} file */
function parseLines(file) {
  const text = readFileSync(file, 'utf8');
  const whole = text.slice(0, text.lastIndexOf('\n') + 1);
  if (whole.length < text.length) writeFileSync(file, whole);
  return whole
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}

/**
 * @param {object} parts
 * @param {readonly import('./types').Recording[]} parts.recordings their labels count, whenever the rows were written
 * @param {ReadonlyMap<string, Row>} parts.rows
 * @param {import('./types').Conditions} parts.conditions
 * @param {readonly Failure[]} parts.failures
 * @returns {import('./types').Report}
 */
function reportOf({ recordings, rows, conditions, failures }) {
  const labeled = recordings.flatMap((recording) => {
    const row = rows.get(recording.path);
    return row ? [{ ...row, ...recording }] : [];
  });
  const sectionOfKind = (/** @type {import('./types').Kind} */ kind) =>
    sectionOf(
      labeled.filter((row) => row.kind === kind),
      kind,
    );
  return {
    version: 1,
    createdAt: new Date().toISOString(),
    conditions,
    machine: describeMachine(),
    prompted: sectionOfKind('prompted'),
    unprompted: sectionOfKind('unprompted'),
    failures: [...failures].sort((a, b) => a.path.localeCompare(b.path)),
  };
}
