import type { Ajv } from 'ajv';
import addStandardFormats from 'ajv-formats';
import { parseWebUrl } from './web-url';

/** The formats of the contract's schemas. A `uri` must be a web URL with a host, which RFC 3986 does not require. */
export function addFormats(ajv: Ajv): void {
  addStandardFormats(ajv);
  const isUri = addStandardFormats.get('uri') as (text: string) => boolean;
  ajv.addFormat('uri', (text) => isUri(text) && parseWebUrl(text) !== undefined);
}
