/**
 * Appends to headings a link to themselves for mouse users. Keyboards and screen readers skip it,
 * because the table of contents has the same links.
 * @type {import('rehype-autolink-headings').Options}
 */
export const headingAnchors = {
  behavior: 'append',
  test: ['h2', 'h3'],
  properties: { className: ['heading-anchor'], ariaHidden: 'true', tabIndex: -1 },
  content: [],
};
