/**
 * Highlights code during the build, so that browsers load no highlighter. Tokens get classes instead of colors: the
 * style sheet covers both modes, and the content security policy allows no inline styles.
 */
import rehypeShiki from '@shikijs/rehype/core';
import { createCssVariablesTheme, createHighlighter } from 'shiki';

const LANGUAGES = [
  'bash',
  'dart',
  'go',
  'html',
  'http',
  'ini',
  'java',
  'javascript',
  'json',
  'jsx',
  'kotlin',
  'php',
  'python',
  'swift',
  'typescript',
  'xml',
  'yaml',
];
const THEME = 'classes';

const highlighter = await createHighlighter({
  langs: LANGUAGES,
  themes: [createCssVariablesTheme({ name: THEME, variablePrefix: '--code-', fontStyle: false })],
});

/** Token types by appearance. Unlisted types keep the text color. @type {Record<string, string>} */
const KINDS = {
  comment: 'comment',
  constant: 'constant',
  function: 'keyword',
  keyword: 'keyword',
  link: 'string',
  parameter: 'constant',
  string: 'string',
  'string-expression': 'string',
};
const OPERATOR = /^[^\w\s"'`#/]+$/;
/** Text between two tokens of one kind that does not separate them. */
const JOINT = /^[ .]+$/;

/** @typedef {Parameters<NonNullable<import('shiki').ShikiTransformer['pre']>>[0]['children'][number]} Content */

/**
 * Turns `style="color:var(--code-token-keyword)"` into `class="code-keyword"`. To keep pages small, uncolored text
 * gets no element and neighbors share one.
 * @type {import('shiki').ShikiTransformer}
 */
const classes = {
  pre(node) {
    delete node.properties.style;
    node.properties.class = 'code';
  },
  code(node) {
    node.children = runsOf(node.children).map(({ text, kind }) =>
      kind
        ? {
            type: 'element',
            tagName: 'span',
            properties: { class: `code-${kind}` },
            children: [{ type: 'text', value: text }],
          }
        : { type: 'text', value: text },
    );
  },
};

/** @typedef {{ text: string, kind: string | undefined }} Run */

/** Runs of one kind. @param {Content[]} nodes @param {string} [kind] of the surrounding token @returns {Run[]} */
function runsOf(nodes, kind) {
  /** @type {Run[]} */
  const runs = [];
  for (const run of nodes.flatMap((node) => runsIn(node, kind))) {
    const [last, before] = [runs.at(-1), runs.at(-2)];
    if (last && last.kind === run.kind) last.text += run.text;
    else if (before && last && run.kind && before.kind === run.kind && JOINT.test(last.text)) {
      before.text += last.text + run.text;
      runs.pop();
    } else runs.push({ ...run });
  }
  return runs;
}

/** @param {Content} node @param {string | undefined} kind @returns {Run[]} */
function runsIn(node, kind) {
  if (node.type === 'text')
    return [{ text: node.value, kind: OPERATOR.test(node.value.trim()) ? undefined : kind }];
  if (node.type !== 'element') return [];
  const token = /--code-token-([a-z-]+)/.exec(String(node.properties.style ?? ''))?.[1];
  return runsOf(node.children, token ? KINDS[token] : kind);
}

const options = {
  theme: THEME,
  transformers: [classes],
  tabindex: /** @type {const} */ (0),
  // Without a limit for each line, a busy machine highlights as a calm one does: the HTML and the scripts of a page agree.
  tokenizeTimeLimit: 0,
};

/** A rehype plugin for fenced blocks with a language. */
export const highlightCode = () =>
  rehypeShiki(/** @type {any} */ (highlighter), { ...options, fallbackLanguage: 'text' });

/**
 * @param {string} code
 * @param {string} language one of LANGUAGES, or `text`
 * @returns {string} a `pre` as HTML
 * @throws ShikiError for an unknown language
 */
export const highlight = (code, language) => highlighter.codeToHtml(code, { ...options, lang: language });
