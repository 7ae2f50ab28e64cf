/** Reads which page of the reference contains what, from its MDX: the source of contents, anchors and filters. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The first page and the page in full. */
export const ENTRY = '/docs/api-reference';
export const FULL = `${ENTRY}/all`;

/**
 * @typedef {{ anchor: string, title: string, kind: 'heading' | 'operation' | 'call' | 'error' | 'event', endpoint: string | null }} Content
 * @typedef {object} Page
 * @property {string} path
 * @property {string} slug the last segment of its path
 * @property {string} title
 * @property {string} description
 * @property {string} body MDX without its frontmatter
 * @property {Content[]} contents what its anchors lead to, in order
 *
 * @typedef {import('./operations.mjs').Operation} Operation
 * @typedef {{ operations: Operation[], webhooks: { eventType: string }[], errors: { code: string }[] }} Parts
 */

const FRONTMATTER = /^---\n([\s\S]*?)\n---\n/;
const FENCE = /^```[\s\S]*?^```$/gm;
const HEADING = /^## (.+)$/;
const TAG = /^<(\w+)(?: \w+="([^"]*)")? \/>$/;
const PART = /^<Part slug="([\w-]+)">/gm;

/** @param {string} content folder of the site's texts @param {Parts} parts @throws Error if two pages have the same anchor */
export async function readPages(content, parts) {
  const folder = join(content, 'docs/api-reference');
  const names = (await readdir(folder)).filter((name) => name.endsWith('.mdx'));
  const files = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
  const pages = files.map((text) => pageOf(text, parts));
  const find = (/** @type {string} */ path) => {
    const match = pages.find((page) => page.path === path);
    if (!match) throw new Error(`The reference lacks the page ${path}.`);
    return match;
  };
  const full = find(FULL);
  const resources = [...full.body.matchAll(PART)].map(([, slug]) => find(`${ENTRY}/${slug}`));
  const anchors = resources.flatMap(({ contents }) => contents.map(({ anchor }) => anchor));
  const twice = anchors.find((anchor, position) => anchors.indexOf(anchor) !== position);
  if (twice) throw new Error(`Two headings of the reference have the anchor ${twice}.`);
  return { entry: find(ENTRY), resources, full };
}

/** @typedef {Awaited<ReturnType<typeof readPages>>} Pages */

/** @param {string} text @param {Parts} parts @returns {Page} */
function pageOf(text, parts) {
  const [whole = '', head = ''] = FRONTMATTER.exec(text) ?? [];
  const lineOf = (/** @type {string} */ name) => RegExp(`^${name}: (.*)$`, 'm').exec(head)?.[1] ?? '';
  const [path, body] = [lineOf('path'), text.slice(whole.length)];
  const lines = body.replace(FENCE, '').split('\n');
  return {
    path,
    slug: path.slice(path.lastIndexOf('/') + 1),
    title: lineOf('title'),
    description: lineOf('description'),
    body,
    contents: lines.flatMap((line) => contentsOf(line, parts)),
  };
}

/** @param {string} line @param {Parts} parts @returns {Content[]} */
function contentsOf(line, { operations, webhooks, errors }) {
  const [, title] = HEADING.exec(line) ?? [];
  if (title) return [{ anchor: slugOf(title), title, kind: 'heading', endpoint: null }];
  const [, tag, argument] = TAG.exec(line) ?? [];
  if (tag === 'Operation')
    return operations
      .filter(({ operationId }) => operationId === argument)
      .map((operation) => ofOperation(operation, 'operation'));
  if (tag === 'SessionCalls')
    return operations
      .filter(({ isSessionCall }) => isSessionCall)
      .map((operation) => ofOperation(operation, 'call'));
  if (tag === 'Events')
    return webhooks.map(({ eventType }) => ({
      anchor: `event-${eventType.replace('.', '-')}`,
      title: eventType,
      kind: 'event',
      endpoint: null,
    }));
  if (tag === 'Errors')
    return errors.map(({ code }) => ({
      anchor: code.toLowerCase().replaceAll('_', '-'),
      title: code,
      kind: 'error',
      endpoint: null,
    }));
  return [];
}

/** @param {Operation} operation @param {'operation' | 'call'} kind @returns {Content} */
const ofOperation = ({ anchor, summary, method, path }, kind) => ({
  anchor,
  title: summary,
  kind,
  endpoint: `${method} ${path}`,
});

/** Makes the same slug as rehype-slug. @param {string} title */
const slugOf = (title) =>
  title
    .toLowerCase()
    .replace(/[^\w\s-]/g, '')
    .replaceAll(' ', '-');

/**
 * The addresses of pages that use a component, for the filters of their queries.
 * @param {Pages} pages @param {...string} tags such as `Operation id="detectFaces"`
 */
export function placesOf({ entry, resources, full }, ...tags) {
  const uses = ({ body = '' }) => tags.some((tag) => body.includes(`<${tag} `));
  const places = resources.filter(uses).map(({ path }) => path);
  return [...(uses(entry) ? [entry.path] : []), ...places, ...(places.length > 0 ? [full.path] : [])];
}
