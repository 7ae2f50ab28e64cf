/** Identifies equal requests: a hash over an operation and its parameters. */
import { createHash, type Hash } from 'node:crypto';

/**
 * @param parameters JSON-like values, and bytes. The order of an object's fields does not matter.
 * @returns SHA-256, base64url, 43 characters.
 */
export function fingerprint(operation: string, parameters: unknown): string {
  const hash = createHash('sha256').update(operation);
  add(hash, parameters);
  return hash.digest('base64url');
}

/** Prefixes each value with its kind and length, so that different values give different bytes. */
function add(hash: Hash, value: unknown): void {
  if (typeof value === 'string' || value instanceof Uint8Array) {
    const bytes = typeof value === 'string' ? Buffer.from(value) : value;
    hash.update(`${typeof value === 'string' ? 's' : 'b'}${bytes.length}:`).update(bytes);
  } else if (Array.isArray(value)) {
    hash.update(`a${value.length}:`);
    for (const entry of value) add(hash, entry);
  } else if (typeof value === 'object' && value !== null) {
    const names = Object.keys(value).sort();
    hash.update(`o${names.length}:`);
    for (const name of names) {
      add(hash, name);
      add(hash, (value as Record<string, unknown>)[name]);
    }
  } else {
    hash.update(`v${String(value)};`);
  }
}
