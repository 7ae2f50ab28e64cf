const NUMBER = new Intl.NumberFormat('en');

/** `{name}` in a text becomes the value of that name; numbers as they are read. */
export const fill = (text: string, values: object): string =>
  text.replace(/\{(\w+)\}/g, (placeholder, name: string) => {
    const value = (values as Record<string, unknown>)[name];
    if (value === undefined) return placeholder;
    return typeof value === 'number' ? NUMBER.format(value) : String(value);
  });
