import limits from '@presenza/contract/limits.json';
import { type Incident, isPublic } from './incident';
import { type IncidentStore, Incidents } from './incidents';
import { PublicIncidents } from './public-incidents';

const noon = Date.parse('2026-01-15T12:00:00Z');
const minute = 60_000;
const day = 86_400_000;
const at = (ms: number) => new Date(ms).toISOString();

/** A store in memory that has room for everything. */
class MemoryStore implements IncidentStore {
  readonly incidents = new Map<string, Incident>();
  isReachable = true;

  async add(incident: Incident) {
    this.incidents.set(incident.id, incident);
    return true;
  }

  async change(id: string, change: (incident: Incident) => Incident) {
    const incident = this.incidents.get(id);
    if (!incident) return undefined;
    this.incidents.set(id, change(incident));
    return this.incidents.get(id);
  }

  remove = async (id: string) => this.incidents.delete(id);

  async all() {
    if (!this.isReachable) throw new Error('no store');
    return [...this.incidents.values()];
  }
}

let now: number;
let store: MemoryStore;
let incidents: Incidents;
beforeEach(() => {
  now = noon;
  store = new MemoryStore();
  incidents = new Incidents(store, () => now);
});

const outage = { title: 'Outage', components: ['api'], impact: 'outage', text: 'We look into it.' } as const;
const upgrade = { title: 'Upgrade', components: ['api'], impact: 'degraded', text: 'We upgrade.' } as const;

test('an incident begins now, and lasts until an update resolves it', async () => {
  const made = await incidents.create({ ...outage, status: 'investigating' });
  expect(made).toEqual({
    incidentId: expect.stringMatching(/^inc_\w{22}$/),
    title: 'Outage',
    planned: false,
    components: ['api'],
    impact: 'outage',
    status: 'investigating',
    startsAt: at(noon),
    updates: [{ status: 'investigating', text: 'We look into it.', at: at(noon) }],
  });
  now += 5 * minute;
  const known = await incidents.update(made.incidentId, { status: 'identified', text: 'A disk is full.' });
  expect(known).not.toHaveProperty('endsAt');
  now += 5 * minute;
  expect(await incidents.update(made.incidentId, { status: 'resolved', text: 'Done.' })).toMatchObject({
    status: 'resolved',
    endsAt: at(noon + 10 * minute),
    updates: [{ text: 'Done.' }, { text: 'A disk is full.' }, { text: 'We look into it.' }],
  });
});

test('an update without a status keeps the status and the end', async () => {
  const { incidentId } = await incidents.create({ ...outage, status: 'resolved', from: noon - minute });
  now += day;
  const updated = await incidents.update(incidentId, { text: 'Report.', title: 'Outage of the API' });
  expect(updated).toMatchObject({ status: 'resolved', title: 'Outage of the API', endsAt: at(noon) });
});

test('a resolved incident that returns has no end', async () => {
  const { incidentId } = await incidents.create({ ...outage, status: 'resolved' });
  const updated = await incidents.update(incidentId, { status: 'investigating', text: 'Again.' });
  expect(updated.status).toBe('investigating');
  expect(updated).not.toHaveProperty('endsAt');
});

test('an outage can be written once it is over, with its times', async () => {
  const [from, until] = [noon - 30 * minute, noon - 10 * minute];
  const made = await incidents.create({ ...outage, status: 'resolved', from, until });
  expect(made).toMatchObject({ startsAt: at(from), endsAt: at(until) });
});

test.each([
  ['begin in the future', { status: 'investigating', from: noon + 1 }],
  ['end in the future', { status: 'resolved', until: noon + 1 }],
  ['end before its start', { status: 'resolved', from: noon - 1, until: noon - 2 }],
] as const)('an incident cannot %s', (_name, times) => {
  expect(() => incidents.create({ ...outage, ...times })).toThrow();
  expect(store.incidents.size).toBe(0);
});

test('maintenance starts and ends by the clock', async () => {
  const [from, until] = [noon + minute, noon + 3 * minute];
  const { incidentId, status } = await incidents.schedule({ ...upgrade, from, until });
  const statusNow = async () => (await incidents.list())[0]?.status;
  expect([status, await statusNow()]).toEqual(['scheduled', 'scheduled']);
  now = from;
  expect(await statusNow()).toBe('inProgress');
  const longer = await incidents.update(incidentId, { text: 'It takes longer.', until: until + minute });
  expect(longer).toMatchObject({ status: 'inProgress', endsAt: at(until + minute) });
  now = until + minute;
  expect(await statusNow()).toBe('resolved');
});

test.each([
  ['before its start', -minute, noon - minute],
  ['while it lasts', 2 * minute, noon],
])('maintenance that is resolved %s ends at once', async (_name, passed, startsAt) => {
  const { incidentId } = await incidents.schedule({ ...upgrade, from: noon + minute, until: noon + day });
  now = noon + passed;
  expect(await incidents.update(incidentId, { status: 'resolved', text: 'Not needed.' })).toMatchObject({
    status: 'resolved',
    startsAt: at(passed < 0 ? startsAt : noon + minute),
    endsAt: at(now),
  });
});

test.each([
  ['an end before its start', noon + 2, noon + 1],
  ['an end in the past', noon - 2, noon - 1],
  ['an end in years', noon, noon + (limits.incidents.maxPlannedDays + 1) * day],
])('maintenance cannot have %s', (_name, from, until) => {
  expect(() => incidents.schedule({ ...upgrade, from, until })).toThrow();
});

test('maintenance takes no status of an incident', async () => {
  const { incidentId } = await incidents.schedule({ ...upgrade, from: noon, until: noon + minute });
  const update = incidents.update(incidentId, { status: 'identified', text: 'A disk is full.' });
  await expect(update).rejects.toThrow('The only status to report is resolved');
});

test('an incident has room for a limited number of updates', async () => {
  const { incidentId } = await incidents.create({ ...outage, status: 'investigating' });
  const update = () => incidents.update(incidentId, { text: 'Still.' });
  for (let count = 1; count < limits.incidents.maxUpdatesPerIncident; count += 1) await update();
  await expect(update()).rejects.toThrow('has room for 20 updates');
});

test('an incident that does not exist is neither updated nor removed', async () => {
  await expect(incidents.update('inc_0', { text: 'Text' })).rejects.toThrow('no incident with this id');
  await expect(incidents.remove('inc_0')).rejects.toThrow('no incident with this id');
});

test('an incident is public until some time after its end', async () => {
  await incidents.create({ ...outage, status: 'resolved' });
  const [incident] = (await store.all()) as [Incident];
  const last = noon + limits.incidents.retentionDays * day - 1;
  expect([isPublic(incident, last), isPublic(incident, last + 1)]).toEqual([true, false]);
  const { endsAt: _, ...lasting } = incident;
  expect(isPublic(lasting, last + 1)).toBe(true);
});

describe('the knowledge of a gateway', () => {
  test('is nothing before it has read the store, and then the latest first', async () => {
    const known = new PublicIncidents(store, () => now);
    expect(known.read()).toBeUndefined();
    await known.refresh();
    expect(known.read()).toEqual({ readAt: noon, incidents: [] });
    await incidents.create({ ...outage, status: 'investigating', from: noon - minute });
    await incidents.create({ ...outage, title: 'Later', status: 'investigating' });
    await known.refresh();
    expect(known.read()?.incidents.map(({ title }) => title)).toEqual(['Later', 'Outage']);
  });

  test('is made anew after some seconds only, and then follows the clock', async () => {
    const until = noon + limits.incidents.retentionDays * day;
    await incidents.create({ ...outage, status: 'resolved' });
    const known = new PublicIncidents(store, () => now);
    await known.refresh();
    now = until - 1;
    const before = known.read();
    now = until + 1;
    expect(known.read()).toBe(before);
    now += 1_000 * limits.incidents.readSeconds;
    expect(known.read()?.incidents).toEqual([]);
  });

  test('stays what it was while the store is unavailable', async () => {
    await incidents.create({ ...outage, status: 'investigating' });
    const known = new PublicIncidents(store, () => now);
    await known.refresh();
    store.isReachable = false;
    now += 30 * minute;
    await expect(known.refresh()).rejects.toThrow('no store');
    expect(known.read()).toMatchObject({ readAt: noon, incidents: [{ title: 'Outage' }] });
  });
});
