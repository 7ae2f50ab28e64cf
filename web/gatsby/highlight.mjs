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

/**
 * `style="color:var(--code-token-keyword)"` becomes `class="keyword"`.
 * @type {import('shiki').ShikiTransformer}
 */
const classes = {
  pre(node) {
    delete node.properties.style;
    node.properties.class = 'code';
  },
  span(node) {
    const token = /--code-token-([a-z-]+)/.exec(String(node.properties.style ?? ''))?.[1];
    delete node.properties.style;
    if (token) node.properties.class = `code-${token}`;
  },
  line(node) {
    delete node.properties.class;
  },
};

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
