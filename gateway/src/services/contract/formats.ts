import type { Ajv } from 'ajv';
import addStandardFormats from 'ajv-formats';
import { parseWebUrl } from './web-url';

const isUri = addStandardFormats.get('uri') as (text: string) => boolean;

/** Whether a text is a web URL with a host, which the grammar of RFC 3986 does not require. */
export const isWebUri = (text: string): boolean => isUri(text) && parseWebUrl(text) !== undefined;

/** Whether a text is a URL of an app, which the grammar of RFC 3986 alone describes. */
const isOtherUri = (text: string): boolean => !/^https?:/i.test(text) && isUri(text);

/** The formats of the contract's schemas. A `uri` with http or https must be a web URL. */
export function addFormats(ajv: Ajv): void {
  addStandardFormats(ajv);
  ajv.addFormat('uri', (text: string) => isWebUri(text) || isOtherUri(text));
}
