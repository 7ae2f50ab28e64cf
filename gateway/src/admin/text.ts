/** An answer for people: a line for each field, a blank line between things. */
export function textOf(answer: unknown): string {
  if (Array.isArray(answer)) return answer.map(textOf).join('\n\n');
  return Object.entries(answer as object)
    .map(([name, value]) => (isListOfThings(value) ? textOf(value) : `${name}: ${inline(value)}`))
    .join('\n');
}

const isListOfThings = (value: unknown) => Array.isArray(value) && typeof value[0] === 'object';

function inline(value: unknown): string {
  if (Array.isArray(value)) return value.join(', ') || 'none';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
