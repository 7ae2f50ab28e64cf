/**
 * The playground: who may use it, and that it is the public API in every other way.
 *
 * Slow: it sends images of every kind through the console.
 */
import limits from '@presenza/contract/limits.json';
import openapi from '@presenza/contract/openapi.json';
import { monthOf } from '../../src/services/metering/months';
import type { LedgerEntry } from '../../src/services/metering/usage';
import type { LoggedRequest } from '../../src/services/requests/request-log';
import { schemas, testImageBytes } from '../contract';
import { tierThatDetects } from '../stand-in';
import { ConsoleGateway, type Person } from './console-gateway';

const uri = (bytes: Buffer) => `data:image/png;base64,${bytes.toString('base64')}`;
const image = uri(testImageBytes('face'));
const bodies = {
  detect: { image },
  compare: { sourceImage: image, targetImage: image },
  moderate: { image: uri(testImageBytes('knife')) },
  liveness: {},
};
const operations = Object.keys(bodies) as (keyof typeof bodies)[];

let console: ConsoleGateway;
let owner: Person;
let stranger: Person;
const members = {} as Record<'developer' | 'billing' | 'viewer', Person>;
const logged: LoggedRequest[] = [];

beforeAll(async () => {
  const noFaces = { faces: [], timings: { decodeMs: 0, modelMs: 0, totalMs: 0 } };
  console = await ConsoleGateway.start(undefined, {
    inference: tierThatDetects(async () => noFaces),
    requestLog: { add: (_accountId, request) => void logged.push(request) },
  });
  owner = await console.person('owner@example.com');
  stranger = await console.person('stranger@example.com');
  for (const role of ['developer', 'billing', 'viewer'] as const)
    members[role] = await console.member(owner, `${role}@example.com`, role);
});
afterAll(() => console.stop());

const pathOf = (operation: string, mode = 'test', accountId = owner.accountId) =>
  `/accounts/${accountId}/playground/${mode}/${operation}`;

describe.each(operations)('%s', (operation) => {
  const attempt = async ({ browser }: Pick<Person, 'browser'>) => {
    const { status, body } = await browser.call('POST', pathOf(operation), bodies[operation]);
    return `${status} ${body.error?.code ?? 'done'}`;
  };

  test('is for owners and developers of the account', async () => {
    expect(await attempt({ browser: console.browser() })).toBe('401 SIGNED_OUT');
    expect(await attempt(stranger)).toBe('404 NOT_FOUND');
    expect(await attempt(members.billing)).toBe('403 NOT_ALLOWED');
    expect(await attempt(members.viewer)).toBe('403 NOT_ALLOWED');
    expect(await attempt(members.developer)).toBe('200 done');
    expect(await attempt(owner)).toBe('200 done');
  });

  test('cannot be called by other pages', async () => {
    const elsewhere = console.browser('https://elsewhere.example');
    elsewhere.cookie = owner.browser.cookie;
    expect(await attempt({ browser: elsewhere })).toBe('403 FOREIGN_ORIGIN');
  });

  test('responds to test images like the public operation', async () => {
    const { body, headers } = await owner.browser.call('POST', pathOf(operation), bodies[operation]);
    expect([schemas.validate(`${operation}-response.json`, body), schemas.errors]).toEqual([true, null]);
    expect(headers.get('ratelimit-policy')).toMatch(/^"burst"/);
  });

  test('refuses what the public operation refuses', async () => {
    const refused = (body: unknown) => owner.browser.refused('POST', pathOf(operation), body);
    const { body } = await owner.browser.call('POST', pathOf(operation), { unknown: 1 });
    expect([schemas.validate('error-response.json', body), body.error.code]).toEqual([
      true,
      'INVALID_PARAMETERS',
    ]);
    const field = Object.keys(bodies[operation])[0] ?? 'imageToCompare';
    const large = uri(Buffer.alloc(limits.image.maxBytes + 1));
    expect(await refused({ ...bodies[operation], [field]: large })).toBe('400 IMAGE_TOO_LARGE');
    const { 'x-max-body-bytes': maxBytes } = openapi.paths[`/${operation}`].post;
    expect(await refused({ ...bodies[operation], [field]: 'x'.repeat(maxBytes) })).toBe(
      '400 IMAGE_TOO_LARGE',
    );
    expect(await refused({ ...bodies[operation], [field]: 'no image' })).toBe('400 INVALID_IMAGE');
  });
});

test('operations in live mode are billed to the account, those in test mode are not', async () => {
  const { browser, accountId } = await console.person('billed@example.com');
  for (const mode of ['live', 'test', 'live']) {
    expect((await browser.call('POST', pathOf('detect', mode, accountId), bodies.detect)).status).toBe(200);
  }
  const entries: LedgerEntry[] = [];
  const { usage } = console.gateway.services;
  for await (const entry of usage.readLedger(accountId, monthOf(Date.now()))) entries.push(entry);
  const billed = { kind: 'commit', product: 'faceDetection', keyId: 'console' };
  expect(entries).toMatchObject([
    { ...billed, mode: 'live' },
    { ...billed, mode: 'test' },
    { ...billed, mode: 'live' },
  ]);
  const verified = await browser.data('GET', `/accounts/${accountId}/usage/verification`);
  expect(verified.matches).toBe(true);
  const detections = logged.filter(({ keyId, path }) => keyId === 'console' && path === '/detect');
  expect(detections).toContainEqual(expect.objectContaining({ method: 'POST', mode: 'live', status: 200 }));
});

test('has no other modes, methods and operations', async () => {
  const { browser } = owner;
  expect(await browser.refused('POST', pathOf('detect', 'other'), bodies.detect)).toBe('404 NOT_FOUND');
  expect(await browser.refused('GET', pathOf('detect'))).toBe('405 METHOD_NOT_ALLOWED');
  expect(await browser.refused('POST', pathOf('batch'), {})).toBe('404 NOT_FOUND');
});

test('stops with the account', async () => {
  const { browser, accountId } = await console.person('suspended@example.com');
  await console.gateway.services.keys.updateAccount(accountId, { suspended: true });
  const refusal = await browser.refused('POST', pathOf('detect', 'test', accountId), bodies.detect);
  expect(refusal).toBe('403 PERMISSION_DENIED');
});
