import type { Ajv } from 'ajv';
import addStandardFormats from 'ajv-formats';
import { isUri, isWebUri } from '../../formats/web-url';
import { isAppUri } from './app-uri';

/**
 * The formats of the contract's schemas. A `uri` is a web URL or opens an app: no other scheme is safe in a link. A
 * `date-time` is also one that JavaScript reads: the grammar alone allows leap seconds and offsets without minutes, which
 * become NaN.
 */
export function addFormats(ajv: Ajv): void {
  addStandardFormats(ajv);
  const { validate } = ajv.formats['date-time'] as { validate(text: string): boolean };
  ajv.addFormat('date-time', (text: string) => validate(text) && Number.isFinite(Date.parse(text)));
  ajv.addFormat('uri', (text: string) => isWebUri(text) || (isAppUri(text) && isUri(text)));
}
