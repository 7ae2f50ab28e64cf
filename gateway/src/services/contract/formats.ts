import type { Ajv } from 'ajv';
import addStandardFormats from 'ajv-formats';
import { isUri, isWebUri } from '../../formats/web-url';
import { isAppUri } from './app-uri';

/** The formats of the contract's schemas. A `uri` is a web URL or opens an app: no other scheme is safe in a link. */
export function addFormats(ajv: Ajv): void {
  addStandardFormats(ajv);
  ajv.addFormat('uri', (text: string) => isWebUri(text) || (isAppUri(text) && isUri(text)));
}
