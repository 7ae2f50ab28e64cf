/** Origins of pages, as browsers send them. */

const webOrigin = /^https?:\/\/[\w.[\]:-]+$/;

/**
 * Frameworks whose apps show pages of their own on iPhones. Every app with the framework has the same origin: allowing it
 * lets these apps use a session only with its access token. On Android such pages have the origin https://localhost.
 */
const appOrigin = /^(capacitor|ionic):\/\/[a-z0-9.-]+$/;

/** The usual names of the machine that a browser runs on. */
const localHosts = ['localhost', '127.0.0.1', '[::1]'];
/** Further ones that browsers trust like these (Secure Contexts, 3.1). */
const otherLocalHost = /^127(\.\d{1,3}){3}$|\.localhost$/;

/** Whether a text is exactly the origin of a page on the web or in an app. */
export const isOrigin = (text: string): boolean =>
  appOrigin.test(text) || (webOrigin.test(text) && URL.canParse(text) && new URL(text).origin === text);

/** Whether nobody else in the network can change pages of this origin: they have TLS, or an app contains them. */
export const isSecureOrigin = (text: string): boolean => isOrigin(text) && !text.startsWith('http:');

/** Whether a text is exactly the origin of a page of the browser's own machine, by a usual name and at any port. */
export const isLocalOrigin = (text: string): boolean =>
  webOrigin.test(text) && isOrigin(text) && localHosts.includes(new URL(text).hostname);

/** Whether browsers let pages of this origin use a camera: nobody else in the network can change them. */
export const isTrustworthyOrigin = (text: string): boolean =>
  isSecureOrigin(text) ||
  isLocalOrigin(text) ||
  (isOrigin(text) && otherLocalHost.test(new URL(text).hostname));

/**
 * All origins of a site. A site without TLS on this machine has two, because people open it by either name.
 * @param origin that `isOrigin`
 */
export function originsOfSite(origin: string): readonly string[] {
  const { protocol, hostname } = new URL(origin);
  const names = ['127.0.0.1', 'localhost'];
  if (protocol !== 'http:' || !names.includes(hostname)) return [origin];
  return names.map((name) => origin.replace(hostname, name));
}
