/**
 * Colours code while the site is built, so that no reader loads a highlighter. Tokens get classes, not colours: the
 * stylesheet knows both modes, and a policy without inline styles allows them.
 */
import rehypeShiki from '@shikijs/rehype/core';
import { createCssVariablesTheme, createHighlighter } from 'shiki';

const LANGUAGES = [
  'bash',
  'dart',
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

/** Tokens that look alike; those that are not named keep the colour of the text. @type {Record<string, string>} */
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
/** What may stand between two tokens of one kind without parting them. */
const JOINT = /^[ .]+$/;

/** @typedef {Parameters<NonNullable<import('shiki').ShikiTransformer['pre']>>[0]['children'][number]} Content */

/**
 * `style="color:var(--code-token-keyword)"` becomes `class="code-keyword"`. A page has hundreds of lines: what needs no
 * colour gets no element, and neighbours share one.
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

/** Stretches of one kind. @param {Content[]} nodes @param {string} [kind] of what they stand in @returns {Run[]} */
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

const options = { theme: THEME, transformers: [classes], tabindex: /** @type {const} */ (0) };

/** For MDX, as a rehype plugin: fenced blocks that name their language. */
export const highlightCode = () =>
  rehypeShiki(/** @type {any} */ (highlighter), { ...options, fallbackLanguage: 'text' });

/**
 * @param {string} code
 * @param {string} language one of those above, or `text`
 * @returns {string} a `pre` as HTML
 * @throws ShikiError for an unknown language
 */
export const highlight = (code, language) => highlighter.codeToHtml(code, { ...options, lang: language });
