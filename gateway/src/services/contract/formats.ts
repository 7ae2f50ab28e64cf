import type { Ajv } from 'ajv';
import addStandardFormats from 'ajv-formats';
import { parseWebUrl } from './web-url';

/** The formats of the contract's schemas. `uri` is a URL that can be followed: the standard's grammar needs no host. */
export function addFormats(ajv: Ajv): void {
  addStandardFormats(ajv);
  const isUri = addStandardFormats.get('uri') as (text: string) => boolean;
  ajv.addFormat('uri', (text) => isUri(text) && parseWebUrl(text) !== undefined);
}
