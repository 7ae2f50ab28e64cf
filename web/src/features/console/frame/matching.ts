interface Searched {
  readonly label: string;
  /** Other names, by which people find it. */
  readonly keywords?: string;
}

/** The commands that have all parts of a text, in any order; those whose label begins with the text come first. */
export function matching<C extends Searched>(commands: readonly C[], text: string): readonly C[] {
  const parts = text.toLowerCase().split(/\s+/).filter(Boolean);
  const rankOf = ({ label }: C) => (label.toLowerCase().startsWith(parts.join(' ')) ? 0 : 1);
  const hasAll = ({ label, keywords = '' }: C) => {
    const searched = `${label} ${keywords}`.toLowerCase();
    return parts.every((part) => searched.includes(part));
  };
  return commands.filter(hasAll).sort((a, b) => rankOf(a) - rankOf(b));
}
