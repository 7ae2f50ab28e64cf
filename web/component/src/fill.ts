/** Replaces `{name}` in a text by its value, with numbers as the language writes them. Other names stay. */
export const fill = (
  text: string,
  values: Readonly<Record<string, string | number>>,
  locale: string,
): string =>
  text.replace(/\{(\w+)\}/g, (placeholder, name: string) => {
    const value = values[name] ?? placeholder;
    return typeof value === 'number' ? value.toLocaleString(locale) : value;
  });
