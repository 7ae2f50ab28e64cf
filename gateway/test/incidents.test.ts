/** GET /health/incidents and its feed, the operations that write them, and the incidents on a real Redis. */
import limits from '@presenza/contract/limits.json';
import type { Incident } from '../src/services/incidents/incident';
import { PublicIncidents } from '../src/services/incidents/public-incidents';
import { RedisIncidentStore } from '../src/stores/redis-incident-store';
import { schemas } from './contract';
import { describeOnEachRedis } from './each-redis';
import { adminToken, TestGateway } from './test-gateway';

const day = 86_400_000;

describeOnEachRedis((redis) => {
  const store = () => new RedisIncidentStore(redis());
  const incident = (id: string, endsAt?: number): Incident => ({
    id,
    title: 'Title',
    planned: false,
    components: ['api'],
    impact: 'outage',
    startsAt: 0,
    ...(endsAt !== undefined && { endsAt }),
    updates: [{ status: 'investigating', text: 'Text', at: 0 }],
  });
  const idsOf = async () => (await store().all()).map(({ id }) => id).sort();
  beforeEach(() => redis().del('presenza:incidents'));

  test('a new incident displaces those that ended long ago, then the one that ended first', async () => {
    const room = { most: 3, oldestEnd: 10, now: 100 };
    for (const [id, endsAt] of [['old', 9], ['first', 20], ['last', 30], ['running']] as const) {
      expect(await store().add(incident(id, endsAt), { ...room, most: 4 })).toBe(true);
    }
    expect(await store().add(incident('new'), room)).toBe(true);
    expect(await idsOf()).toEqual(['last', 'new', 'running']);
  });

  test('an incident that has not ended is not displaced', async () => {
    const room = { most: 2, oldestEnd: 10, now: 100 };
    await store().add(incident('planned', 101), room);
    await store().add(incident('running'), room);
    expect(await store().add(incident('new'), room)).toBe(false);
    expect(await idsOf()).toEqual(['planned', 'running']);
  });

  test('updates of several operators at once are all kept', async () => {
    await store().add(incident('shared'), { most: 1, oldestEnd: 0, now: 1 });
    const texts = Array.from({ length: 8 }, (_, place) => `Update ${place}`);
    const add = (text: string) =>
      store().change('shared', (before) => ({
        ...before,
        updates: [...before.updates, { status: 'investigating', text, at: 1 }],
      }));
    await Promise.all(texts.map(add));
    const [shared] = await store().all();
    expect(shared?.updates.map(({ text }) => text).sort()).toEqual(['Text', ...texts].sort());
    expect(await store().change('none', (before) => before)).toBeUndefined();
    expect([await store().remove('shared'), await store().remove('shared')]).toEqual([true, false]);
  });
});

describe('the public calls', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await TestGateway.start({ errorLinks: { siteUrl: 'https://site.example' } });
  });
  afterAll(() => gateway.stop());
  const operator = (method: string, path: string, body?: object) =>
    gateway.admin({ method, path, bearer: adminToken, ...(body && { body }) });
  const read = (path = '/health/incidents') => gateway.api({ method: 'GET', path });

  test('say that the incidents are unknown before they were read', async () => {
    const { status, body } = await read();
    expect([status, Object.keys(body.data)]).toEqual([200, ['timestamp']]);
    expect(schemas.validate('service-incidents-response.json', body)).toBe(true);
    const feed = await read('/health/incidents.atom');
    expect([feed.status, feed.headers.get('retry-after')]).toEqual([503, '10']);
    expect(feed.headers.get('cache-control')).toBe('no-store');
  });

  test.each([
    ['without a version', ''],
    ['with a version', '/v1'],
  ])('need no key, are for pages of any origin, and may be cached: %s', async (_name, prefix) => {
    await gateway.services.incidents.refresh();
    for (const [path, type] of [
      ['/health/incidents', 'application/json; charset=utf-8'],
      ['/health/incidents.atom', 'application/atom+xml; charset=utf-8'],
    ]) {
      const { status, headers } = await fetch(gateway.url + prefix + path);
      expect([status, headers.get('content-type')]).toEqual([200, type]);
      expect(headers.get('access-control-allow-origin')).toBe('*');
      expect(headers.get('cache-control')).toBe('public, max-age=60');
    }
  });

  test('show what an operator writes, also from other gateways', async () => {
    const about = { title: '<b>Sessions</b> fail', components: ['liveness'], impact: 'outage' };
    const { body } = await operator('POST', '/incidents', { ...about, text: 'A <script> & more.' });
    const other = new PublicIncidents(new RedisIncidentStore(gateway.redis), Date.now);
    await Promise.all([other.refresh(), gateway.services.incidents.refresh()]);
    expect(other.read()?.incidents).toMatchObject([{ id: body.data.incidentId }]);
    const { body: shown } = await read();
    expect(schemas.validate('service-incidents-response.json', shown)).toBe(true);
    expect(shown.data.incidents).toEqual([body.data]);
    const text = await (await fetch(`${gateway.url}/health/incidents.atom`)).text();
    expect(text).toContain(`<id>https://site.example/status#${body.data.incidentId}</id>`);
    expect(text).toContain('&lt;b&gt;Sessions&lt;/b&gt; fail</title>');
    expect(text).not.toContain('<script>');
  });

  test.each([
    ['an unknown part', { components: ['disk'] }],
    ['no part', { components: [] }],
    ['a long title', { title: 'x'.repeat(limits.incidents.maxTitleLength + 1) }],
    ['a title of two lines', { title: 'One\nTwo' }],
    ['a blank text', { text: '   ' }],
    ['a long text', { text: 'x'.repeat(limits.incidents.maxTextLength + 1) }],
    ['control characters', { text: 'x\u0000' }],
    ['a wrong time', { from: 'today' }],
    ['an unknown property', { html: '<b>' }],
  ])('an operator cannot write %s', async (_name, change) => {
    const about = { title: 'Title', components: ['api'], impact: 'none', text: 'Text', ...change };
    const { status, body } = await operator('POST', '/incidents', about);
    expect([status, body.error.code]).toEqual([400, 'INVALID_PARAMETERS']);
  });

  test('there is a limit on incidents that last, and ended ones make room', async () => {
    const until = new Date(Date.now() + day).toISOString();
    const about = { title: 'Title', components: ['api'], impact: 'none', text: 'Text' };
    const plan = { ...about, from: new Date().toISOString(), until };
    const { body } = await operator('GET', '/incidents');
    const left = limits.incidents.maxIncidents - body.data.incidents.length;
    for (let count = 0; count < left; count += 1) {
      expect((await operator('POST', '/incidents/maintenance', plan)).status).toBe(200);
    }
    const full = await operator('POST', '/incidents', about);
    expect(full.body.error.message).toContain('50 incidents have not ended yet');
    const [{ incidentId }] = (await operator('GET', '/incidents')).body.data.incidents;
    const ended = { status: 'resolved', text: 'Done.' };
    expect((await operator('PATCH', `/incidents/${incidentId}`, ended)).status).toBe(200);
    expect((await operator('POST', '/incidents', about)).status).toBe(200);
    const { incidents } = (await operator('GET', '/incidents')).body.data;
    expect(incidents).toHaveLength(limits.incidents.maxIncidents);
    expect(incidents).not.toContainEqual(expect.objectContaining({ incidentId }));
  });
});
