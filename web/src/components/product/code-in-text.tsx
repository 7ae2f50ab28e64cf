/** Text with `code` between backticks, as in Markdown. */
export function CodeInText({ children }: { children: string }) {
  // Every other part between backticks is code.
  const parts = children.split('`').map((part, position) => ({ part, isCode: position % 2 === 1, position }));
  return parts.map(({ part, isCode, position }) => (isCode ? <code key={position}>{part}</code> : part));
}
