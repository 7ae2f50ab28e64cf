// Signs users up at the console. Without a mail server, operators read the mails of a service.

import { waitUntil } from './wait.mjs';

export const password = 'correct-horse battery 42 staple';

/**
 * @param {import('./service.mjs').Service} service
 * @param {string} email
 * @returns {Promise<string>} the newest link that was mailed to the address
 */
export const mailedLink = ({ admin }, email) =>
  waitUntil(`there is a mail with a link to ${email}`, async () => {
    const { mails } = await admin('mails', 'list');
    const received = /** @type {{ to: string, text: string }[]} */ (mails).filter(({ to }) => to === email);
    return received.map(({ text }) => /^http\S+#\w{43}$/m.exec(text)?.[0]).find(Boolean);
  });

/**
 * Signs a new owner up, with `password`.
 * @param {import('./service.mjs').Service} service
 * @param {string} email
 * @param {Pick<import('playwright-core').APIRequestContext, 'post'>} request of the browser that is signed in afterward
 */
export async function signUp(service, email, request) {
  const post = async (/** @type {string} */ path, /** @type {object} */ data) => {
    const headers = { origin: service.siteUrl };
    const reply = await request.post(`${service.apiUrl}/console/api${path}`, { data, headers });
    if (!reply.ok()) throw new Error(`${path} responded with ${reply.status()}.`);
  };
  await post('/sign-up', { email });
  const ticket = new URL(await mailedLink(service, email)).hash.slice(1);
  await post('/sign-up/confirm', { ticket, password });
}
