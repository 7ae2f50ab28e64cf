/**
 * Records the contract of a release as `released.json`, without the texts and examples: the contracts after it are compared
 * with it. Run `npm run record-release -w gateway/contract` once a version is released.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = dirname(fileURLToPath(import.meta.url));
const read = (path) => JSON.parse(readFileSync(join(folder, '..', path), 'utf8'));

/** Keys with texts for people. */
const texts = ['description', 'summary', 'title', 'examples', 'example', 'tags', '$comment', 'x-comment'];
/** The keys of these are names of the contract: a property may be called `title`. */
const maps = ['properties', 'schemas', 'headers', 'paths', 'parameters'];

function bare(node, isMap = false) {
  if (Array.isArray(node)) return node.map((child) => bare(child));
  if (typeof node !== 'object' || node === null) return node;
  const kept = Object.entries(node).filter(([key]) => isMap || !texts.includes(key));
  return Object.fromEntries(kept.map(([key, value]) => [key, bare(value, !isMap && maps.includes(key))]));
}

const { info, paths, webhooks, components } = read('openapi.json');
const files = readdirSync(join(folder, '../schemas')).sort();
const schemas = Object.fromEntries(files.map((file) => [file, read(`schemas/${file}`)]));
const kept = bare({ paths, webhooks, components, schemas });
const versions = read('versions.json').map(({ changes, ...version }) => version);
writeFileSync(
  join(folder, 'released.json'),
  `${JSON.stringify({ info: { version: info.version }, versions, ...kept })}\n`,
);
