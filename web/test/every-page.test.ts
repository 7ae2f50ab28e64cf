/** Chromium opens every page of the site and of the console once, with the whole service behind it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { newVisit, Person, service, setUpStage } from './console/stage';
import { addresses } from './quality/built-site';
import type { Visit } from './visit';

setUpStage();

let visitor: Visit;
let operator: Person;
/** Parts of the console's addresses that name something of the operator's account. */
let names: Readonly<Record<string, string>>;

beforeAll(async () => {
  visitor = await newVisit();
  operator = await Person.signUpOperator('operator@example.com');
  const endpoint = { url: 'https://shop.example/hook', events: ['session.completed'], mode: 'test' };
  const { webhookId } = await operator.call('POST', operator.path('/webhooks'), endpoint);
  const { apiKey } = await operator.call('POST', operator.path('/keys'), { name: 'Server', mode: 'test' });
  const created = await fetch(`${service.apiUrl}/liveness`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: '{}',
  });
  const { data } = (await created.json()) as { data: { sessionId: string } };
  names = { webhook: webhookId, session: data.sessionId, month: new Date().toISOString().slice(0, 7) };
});
afterEach(() => expect([...visitor.errors, ...operator.errors]).toEqual([]));

test.each(addresses.filter((address) => !address.startsWith('/console')))('site: %s', async (address) => {
  const { page } = visitor;
  const response = await page.goto(service.siteUrl + address);
  expect(response?.status()).toBe(200);
  await page.getByRole('heading', { level: 1 }).first().waitFor();
});

const pages = readFileSync(join(__dirname, '../src/features/console/pages/routes.tsx'), 'utf8');
const consolePaths = [...pages.matchAll(/path: '([^']+)',\s+(?:name: '\w+',\s+)?audience: (\S+)/g)].map(
  ([, path = '', audience = '']) => ({ path, isOpen: audience.startsWith("'anyone'") }),
);

test('the list of the console’s pages was read', () => {
  expect(consolePaths).toHaveLength(pages.match(/screen: screenOf\(/g)?.length ?? 0);
});

test.each(consolePaths)('console: /$path', async ({ path, isOpen }) => {
  const { page } = isOpen ? visitor : operator;
  const address = path.replace('*', '').replace(/:(\w+)/g, (_, name: string) => names[name] ?? '');
  await page.goto(`${service.siteUrl}/console/${address}`);
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  expect(await page.locator('main').innerText()).not.toBe('');
});
