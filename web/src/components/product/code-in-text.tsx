/** Text in which `names of the API` stand between backticks, as in Markdown. */
export function CodeInText({ children }: { children: string }) {
  // Split at the backticks, every other part is code.
  const parts = children.split('`').map((part, position) => ({ part, isCode: position % 2 === 1, position }));
  return parts.map(({ part, isCode, position }) => (isCode ? <code key={position}>{part}</code> : part));
}
