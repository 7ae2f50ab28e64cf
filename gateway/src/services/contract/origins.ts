/** Origins of pages, as browsers send them. */

const webOrigin = /^https?:\/\/[\w.[\]:-]+$/;

/**
 * Frameworks whose apps show pages of their own on iPhones. Every app with the framework has the same origin: allowing it
 * lets these apps use a session only with its access token. On Android such pages have the origin https://localhost.
 */
const appOrigin = /^(capacitor|ionic):\/\/[a-z0-9.-]+$/;

/** Whether a text is exactly the origin of a page on the web or in an app. */
export const isOrigin = (text: string): boolean =>
  appOrigin.test(text) || (webOrigin.test(text) && URL.canParse(text) && new URL(text).origin === text);

/** Whether nobody else in the network can change pages of this origin: they have TLS, or an app contains them. */
export const isSecureOrigin = (text: string): boolean => isOrigin(text) && !text.startsWith('http:');
