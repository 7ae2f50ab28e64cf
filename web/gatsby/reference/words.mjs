/** Fills the words of content/reference.json in. */

/** @typedef {typeof import('../../content/reference.json')} Words */

const NUMBER = new Intl.NumberFormat('en', { maximumFractionDigits: 6 });

/**
 * `{name}` in a text becomes the value of that name; numbers as they are read.
 * @param {string} text @param {Record<string, string | number>} values
 */
export const fill = (text, values) =>
  text.replace(/\{(\w+)\}/g, (placeholder, name) => {
    const value = values[name];
    if (value === undefined) return placeholder;
    return typeof value === 'number' ? NUMBER.format(value) : value;
  });
