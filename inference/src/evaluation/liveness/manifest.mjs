/** Reads an operator's manifest: recordings.csv or recordings.json. Faults name the line or the entry. */
import { existsSync, readFileSync } from 'node:fs';
import { isAbsolute, join, normalize, sep } from 'node:path';
import { readCsv } from '../../../dist/evaluation/input/csv.js';
import { InputError } from '../../../dist/evaluation/input/input-error.js';

/** @typedef {import('./types').Recording} Recording */

export const MANIFEST = 'recordings.csv';
export const COLUMNS = /** @type {const} */ ([
  'path',
  'label',
  'type',
  'species',
  'device',
  'group',
  'subject',
]);
const REQUIRED = ['path', 'label'];
const LABELS = ['bonaFide', 'attack'];
const TYPES = ['presentation', 'injection'];
/** Faults that one run reports. */
const MOST_FAULTS = 5;

/**
 * @param {string} folder
 * @returns {Recording[]} at least one
 * @throws InputError
 */
export function readManifest(folder) {
  const [csv, json] = [join(folder, MANIFEST), join(folder, 'recordings.json')];
  if (existsSync(csv) && existsSync(json))
    throw new InputError(`${folder} has both ${MANIFEST} and recordings.json: keep one of them.`);
  if (existsSync(csv)) return checked(fromCsv(csv));
  if (existsSync(json)) return checked(fromJson(json));
  throw new InputError(`${folder} has neither ${MANIFEST} nor recordings.json.`);
}

/** An entry of a manifest and its place, for messages. @typedef {{ place: string, fields: Record<string, string> }} Entry */

/** @param {string} file @returns {Entry[]} */
function fromCsv(file) {
  const [header, ...lines] = readCsv(readFileSync(file, 'utf8'), file);
  const columns = header?.fields ?? [];
  const place = `${file}, line ${header?.number ?? 1}`;
  const missing = REQUIRED.find((name) => !columns.includes(name));
  if (missing) throw new InputError(`${place}: the column ${missing} is missing.`);
  const unknown = columns.find((name) => !COLUMNS.some((column) => column === name));
  if (unknown !== undefined)
    throw new InputError(`${place}: "${unknown}" is no column; the columns are ${COLUMNS.join(', ')}.`);
  return lines.map(({ number, fields }) => ({
    place: `${file}, line ${number}`,
    fields: Object.fromEntries(columns.map((name, i) => [name, fields[i] ?? ''])),
  }));
}

/** @param {string} file @returns {Entry[]} */
function fromJson(file) {
  let entries;
  try {
    entries = JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    throw new InputError(`${file} is not JSON.`);
  }
  if (!Array.isArray(entries)) throw new InputError(`${file} must contain an array of recordings.`);
  return entries.map((entry, i) => {
    const place = `${file}, entry ${i + 1}`;
    if (!entry || typeof entry !== 'object') throw new InputError(`${place} is not an object.`);
    const fields = Object.entries(entry).filter(([, value]) => value !== null && value !== undefined);
    const wrong = fields.find(
      ([name, value]) => typeof value !== 'string' || !COLUMNS.some((column) => column === name),
    );
    if (wrong)
      throw new InputError(
        `${place}: ${wrong[0]} is not one of ${COLUMNS.join(', ')}, or its value is no text.`,
      );
    return { place, fields: /** @type {Record<string, string>} */ (Object.fromEntries(fields)) };
  });
}

/** @param {readonly Entry[]} entries @returns {Recording[]} @throws InputError */
function checked(entries) {
  if (entries.length === 0) throw new InputError('The manifest lists no recordings.');
  const places = new Map();
  const faults = entries.flatMap(({ place, fields }) => {
    const path = normalize(fields.path ?? '');
    const earlier = places.get(path);
    places.set(path, place);
    const fault = earlier ? `"${fields.path}" is listed already: ${earlier}` : faultOf(fields);
    return fault ? [`${place}: ${fault}.`] : [];
  });
  if (faults.length > 0) {
    const more = faults.length > MOST_FAULTS ? [`${faults.length - MOST_FAULTS} more faults follow.`] : [];
    throw new InputError([...faults.slice(0, MOST_FAULTS), ...more].join('\n'));
  }
  return entries.map(
    ({ fields }) =>
      /** @type {Recording} */ (
        /** @type {unknown} */ (
          Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ''))
        )
      ),
  );
}

/** @param {Record<string, string>} fields @returns {string | undefined} */
function faultOf({ path = '', label = '', type = '', species = '' }) {
  if (path === '') return 'path is empty';
  if (isAbsolute(path) || normalize(path).split(sep)[0] === '..')
    return `"${path}" is outside the folder of the manifest`;
  if (!LABELS.includes(label)) return `label must be ${LABELS.join(' or ')}, not "${label}"`;
  if (label === 'bonaFide')
    return type || species ? 'a bonaFide recording has neither type nor species' : undefined;
  if (!TYPES.includes(type)) return `type of an attack must be ${TYPES.join(' or ')}, not "${type}"`;
  return species === '' ? 'an attack needs a species' : undefined;
}
