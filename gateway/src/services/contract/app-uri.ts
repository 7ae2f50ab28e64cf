/** URLs that open an app, in the form that the contract gives to `returnUrl`. */
import { readContract } from './contract';

/**
 * The scheme is the id of the app (RFC 8252, 7.1) or a word that ends with `app`. Browsers and systems have hundreds of
 * schemes that run scripts, read files or start programs. A list of them would never be complete, but they do not have
 * this form.
 */
const form = new RegExp(readContract('schemas/liveness-request.json').properties.returnUrl.pattern);
const web = /^https?:/i;

/** Whether a text without a colon is such a scheme. */
export const isAppScheme = (text: string): boolean => form.exec(`${text}://`)?.[0] === `${text}://`;

/** Whether a text begins with such a scheme. */
export const isAppUri = (text: string): boolean => !web.test(text) && form.test(text);
