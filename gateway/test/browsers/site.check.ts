/**
 * A newcomer in each engine: home, pricing, sign-up to the first call in the playground, documentation and status. The
 * whole service is at http://localhost, as `npm start` serves it, where WebKit stores no Secure cookies.
 */
import plans from '@presenza/contract/plans.json';
import consent from '../../../web/content/consent.json';
import people from '../../../web/content/console/people.json';
import playground from '../../../web/content/console/playground.json';
import search from '../../../web/content/search.json';
import status from '../../../web/content/status.json';
import { mailedLink, password, type Service, startService, waitUntil } from '../../harness/index.mjs';
import { sharedTierUrl } from '../shared-tier';
import { launchChromium } from './chromium';
import type { Engine } from './engine';
import { launchFirefox } from './firefox';
import { Reader } from './reader';
import { launchWebKit } from './webkit';

const incident = 'Responses are slow';
const { texts: console } = playground;
const { texts: account } = people;

let service: Service;
beforeAll(async () => {
  service = await startService({
    site: true,
    siteHost: 'localhost',
    inferenceUrl: sharedTierUrl(),
    gatewayEnv: { CONSOLE: 'on' },
  });
  const about = ['--title', incident, '--components', 'api', '--impact', 'degraded', '--text', 'We look.'];
  await service.admin('incidents', 'create', ...about);
  // Before that, the response would stay in the caches of the browsers.
  await waitUntil('the gateway has read the incident', async () => {
    const response = await fetch(`${service.url}/health/incidents`);
    return (await response.text()).includes(incident);
  });
});
afterAll(() => service?.stop());

describe.each([
  ['Chromium', launchChromium],
  ['Firefox ESR', launchFirefox],
  ['WebKitGTK', launchWebKit],
] as const)('%s', (name, launch) => {
  let engine: Engine;
  let reader: Reader;
  const open = (path: string) => reader.open(service.siteUrl + path);
  const fits = () =>
    reader.until(
      'the page is no wider than the window',
      'document.documentElement.scrollWidth <= innerWidth',
    );

  beforeAll(async () => {
    engine = await launch();
    reader = new Reader(engine);
  });
  afterAll(() => engine?.close());

  test('the home page keeps the choice about cookies', async () => {
    await open('/');
    await reader.presses('button', consent.necessaryOnly);
    await reader.until('the choice is in a cookie', `document.cookie.includes('consent=')`);
    await open('/');
    await reader.until('the page has its title', `document.querySelector('h1')`);
    await reader.until('the page has started', `document.querySelector('header button')`);
    expect(
      await engine.run(`() => document.body.innerText.includes(${JSON.stringify(consent.banner.text)})`),
    ).toBe(false);
    await fits();
  });

  test('the pricing page has all plans, and leads to the sign-up', async () => {
    await open('/pricing');
    for (const { displayName } of plans) await reader.sees('heading', displayName);
    await fits();
    await reader.until(
      'a plan leads to the sign-up',
      `document.querySelector('main a[href*="/console/sign-up"]')`,
    );
  });

  test('somebody signs up, stays signed in, and makes a first call in the playground', async () => {
    const email = `${name.toLowerCase().replace(/\W/g, '-')}@example.com`;
    await open('/console/sign-up');
    await reader.types(account.email, email);
    await reader.presses('button', account.signUp.action);
    await reader.open(await mailedLink(service, email));
    await reader.types(account.newPassword.label, password);
    await reader.presses('button', account.confirm.action);
    await reader.until('the console is open', `location.pathname === '/console'`);

    await open('/console/playground');
    await reader.sees('heading', console.title, { isExact: true });
    await reader.presses('button', console.samples.find((sample) => sample.name === 'group')?.label ?? '');
    await reader.until('the image is chosen', `/group[^,]*, [\\d,]+ × /.test(document.body.innerText)`);
    await reader.presses('button', console.run);
    await reader.sees('region', console.result.title, { isExact: true });
    await reader.until(
      'the result has the focus',
      `document.activeElement?.getAttribute('aria-label') === ${JSON.stringify(console.result.title)}`,
    );
    await reader.until('faces are drawn', `document.querySelectorAll('svg g rect').length > 1`);
    await fits();
  });

  test('the documentation is readable, and its search finds an error', async () => {
    await open('/docs/get-started');
    await reader.until('the page has its title', `document.querySelector('main h1')`);
    await fits();
    await reader.presses('button', search.button, { isExact: false });
    await reader.types(search.label, 'RATE_LIMIT_EXCEEDED');
    await reader.sees('option', 'RATE_LIMIT_EXCEEDED');
  });

  test('the status page shows the parts of the service and the incident', async () => {
    await open('/status');
    await reader.sees('status', status.incidents.now.replace('{titles}', incident));
    await reader.sees('heading', incident, { isExact: true });
    for (const { label } of status.components) await reader.sees('heading', label, { isExact: true });
    await fits();
  });
});
