/** Fills placeholders in the texts of content/reference.json. */

/** @typedef {typeof import('../../content/reference.json')} ReferenceTexts */

const NUMBER = new Intl.NumberFormat('en', { maximumFractionDigits: 6 });

/**
 * Replaces `{name}` in a text by its value. Numbers are formatted for readers.
 * @param {string} text @param {Record<string, string | number>} values
 */
export const fill = (text, values) =>
  text.replace(/\{(\w+)\}/g, (placeholder, name) => {
    const value = values[name];
    if (value === undefined) return placeholder;
    return typeof value === 'number' ? NUMBER.format(value) : value;
  });
