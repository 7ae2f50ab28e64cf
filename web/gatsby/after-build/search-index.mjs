/** Writes the search index for the browser: sections of all pages, endpoints and errors. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import MiniSearch from 'minisearch';
import { allTermsOf, INDEX_OPTIONS } from '../../src/features/search/terms.mjs';

/** @typedef {{ heading: string, title: string, text: string, group: string, url: string }} Entry */

/**
 * @param {string} publicDir
 * @param {{ content: import('./content.mjs').Content, pages: import('./built-pages.mjs').BuiltPage[] }} options
 */
export async function writeSearchIndex(publicDir, { content, pages }) {
  const index = new MiniSearch(INDEX_OPTIONS);
  const named = [...errorEntries(content), ...endpointEntries(content)];
  index.addAll(merge(named, pageEntries(content, pages)).map((entry, id) => ({ ...entry, id })));
  const synonyms = Object.fromEntries(
    content.search.synonyms.flatMap(({ terms, meanings }) =>
      terms.flatMap(allTermsOf).map((term) => [term, meanings.flatMap(allTermsOf)]),
    ),
  );
  await writeFile(join(publicDir, 'search-index.json'), JSON.stringify({ synonyms, index }));
}

/** Adds the text of a section to the endpoint or error that it describes. @param {Entry[]} named @param {Entry[]} sections */
function merge(named, sections) {
  const byUrl = new Map(named.map((entry) => [entry.url, entry]));
  const others = sections.filter(({ url, heading, text }) => {
    const same = byUrl.get(url);
    if (same) same.text += ` ${heading} ${text}`;
    return !same;
  });
  return [...named, ...others];
}

/** @param {import('./content.mjs').Content} content @returns {Entry[]} */
const errorEntries = ({ errors, anchors }) =>
  errors.map(({ code, title, message, advice }) => ({
    heading: code,
    title,
    text: `${message} ${advice}`,
    group: 'errors',
    url: anchors[code.toLowerCase().replaceAll('_', '-')] ?? '',
  }));

/** @param {import('./content.mjs').Content} content @returns {Entry[]} */
const endpointEntries = ({ operations, anchors }) =>
  operations.map(({ method, path, summary, description, anchor }) => ({
    heading: `${method} ${path}`,
    title: summary,
    text: description,
    group: 'endpoints',
    url: anchors[anchor] ?? '',
  }));

/**
 * @param {import('./content.mjs').Content} content
 * @param {import('./built-pages.mjs').BuiltPage[]} pages
 * @returns {Entry[]}
 */
function pageEntries({ search }, pages) {
  const groupOf = (/** @type {string} */ path) =>
    search.groups.find((group) => group.path && `${path}/`.startsWith(group.path.replace(/\/?$/, '/')))?.id ??
    '';
  return pages
    .filter(({ indexed }) => indexed)
    .flatMap(({ path, title, documentTitle, description, sections }) =>
      sections.map(({ id, heading, text }) => ({
        heading: heading || title,
        title: heading ? title : documentTitle,
        text: id ? text : `${description} ${text.replace(description, '')}`.trim(),
        group: groupOf(path),
        url: id ? `${path}#${id}` : path,
      })),
    );
}
