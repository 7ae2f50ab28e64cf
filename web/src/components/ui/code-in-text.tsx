import { Code } from './code';

/** Text with `code` between backticks, as in Markdown. */
export const CodeInText = ({ children }: { children: string }) =>
  // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text keep their order.
  children.split('`').map((part, index) => (index % 2 ? <Code key={index}>{part}</Code> : part));
