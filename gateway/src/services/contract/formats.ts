import type { Ajv } from 'ajv';
import addStandardFormats from 'ajv-formats';
import { isAppUri } from './app-uri';
import { parseWebUrl } from './web-url';

const isUri = addStandardFormats.get('uri') as (text: string) => boolean;

/** Whether a text is a web URL with a host, which the grammar of RFC 3986 does not require. */
export const isWebUri = (text: string): boolean => isUri(text) && parseWebUrl(text) !== undefined;

/** The formats of the contract's schemas. A `uri` is a web URL or opens an app: no other scheme is safe in a link. */
export function addFormats(ajv: Ajv): void {
  addStandardFormats(ajv);
  ajv.addFormat('uri', (text: string) => isWebUri(text) || (isAppUri(text) && isUri(text)));
}
