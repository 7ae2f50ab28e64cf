/**
 * A link to itself at the end of each heading below the first. It is for the mouse: whoever listens or uses the keyboard
 * would have a second thing at every heading, and finds the same links in the table of contents.
 * @type {import('rehype-autolink-headings').Options}
 */
export const headingAnchors = {
  behavior: 'append',
  test: ['h2', 'h3'],
  properties: { className: ['heading-anchor'], ariaHidden: 'true', tabIndex: -1 },
  content: [],
};
