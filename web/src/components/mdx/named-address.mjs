/**
 * Named addresses such as `site:keys` in content, resolved from content/site.json. The build's Markdown twins resolve
 * them too.
 */
import { signUpUrl } from '../sign-up/sign-up-url.mjs';

/**
 * @typedef {object} SiteAddresses
 * @property {{ home: string, keys: string, signUp: string, source: string, campaign: string }} console
 * @property {{ support: string, sales: string }} contact
 */

/** @type {Readonly<Record<string, (site: SiteAddresses) => string>>} */
const NAMED = {
  'site:console': ({ console }) => console.home,
  'site:keys': ({ console }) => console.keys,
  'site:sign-up': ({ console }) => signUpUrl(console, 'free'),
  'site:support': ({ contact }) => `mailto:${contact.support}`,
  'site:sales': ({ contact }) => `mailto:${contact.sales}`,
};

/** @param {string} name @param {SiteAddresses} site @throws Error for an unknown name */
export function namedAddress(name, site) {
  const address = NAMED[name];
  if (!address) throw new Error(`Content links to an unknown address: ${name}.`);
  return address(site);
}
