/**
 * `{name}` in a text becomes the value of that name.
 * @throws Error for a name that has no value, so that a page with a hole in it is never built
 */
export function fillText(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`Nothing fills {${name}} in "${text}".`);
    return String(value);
  });
}
