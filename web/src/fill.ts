const NUMBER = new Intl.NumberFormat('en');

/**
 * `{name}` in a text becomes the value of that name; numbers as they are read.
 * @throws Error for a name that has no value, so that no page with a hole in it is built
 */
export function fill(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`Nothing fills {${name}} in "${text}".`);
    return typeof value === 'number' ? NUMBER.format(value) : value;
  });
}
