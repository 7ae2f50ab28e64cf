const NUMBER = new Intl.NumberFormat('en');

/**
 * Replaces `{name}` in a text by its value. Numbers are formatted for readers.
 * @throws Error for a name without a value, which fails the build
 */
export function fill(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`{${name}} has no value in "${text}".`);
    return typeof value === 'number' ? NUMBER.format(value) : value;
  });
}
