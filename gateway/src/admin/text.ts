/** A result as text: a line for each field, a blank line between entries. */
export function textOf(result: unknown): string {
  if (Array.isArray(result)) return result.map(textOf).join('\n\n');
  return Object.entries(result as object)
    .map(([name, value]) => (isListOfThings(value) ? textOf(value) : `${name}: ${inline(value)}`))
    .join('\n');
}

const isListOfThings = (value: unknown) => Array.isArray(value) && typeof value[0] === 'object';

function inline(value: unknown): string {
  if (Array.isArray(value)) return value.join(', ') || 'none';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
