/** @param {(string | undefined)[]} heading @param {(string | undefined)[][]} rows */
export const markdownTable = (heading, rows) =>
  [heading, heading.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
