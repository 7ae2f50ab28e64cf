import { byTime, type Incident, type IncidentStatus, isStale } from './incidents-by-time';

const incident = (incidentId: string, status: IncidentStatus, startsAt: string): Incident => ({
  incidentId,
  title: 'Title',
  components: ['api'],
  impact: 'outage',
  status,
  startsAt,
  updates: [],
});

test('incidents are current, planned from the next one on, or past by the day of their start', () => {
  const { current, planned, past } = byTime([
    incident('later', 'scheduled', '2026-02-02T10:00:00Z'),
    incident('next', 'scheduled', '2026-02-01T10:00:00Z'),
    incident('maintenance', 'inProgress', '2026-01-15T10:00:00Z'),
    incident('outage', 'identified', '2026-01-15T09:00:00Z'),
    incident('evening', 'resolved', '2026-01-14T23:59:00Z'),
    incident('morning', 'resolved', '2026-01-14T00:00:00Z'),
    incident('before', 'resolved', '2026-01-13T12:00:00Z'),
  ]);
  const idsOf = (incidents: readonly Incident[]) => incidents.map(({ incidentId }) => incidentId);
  expect(idsOf(current)).toEqual(['maintenance', 'outage']);
  expect(idsOf(planned)).toEqual(['next', 'later']);
  expect(past.map(([day, incidents]) => [day, idsOf(incidents)])).toEqual([
    ['2026-01-14', ['evening', 'morning']],
    ['2026-01-13', ['before']],
  ]);
});

test.each([
  [undefined, false],
  ['2026-01-15T10:28:00Z', false],
  ['2026-01-15T10:27:59Z', true],
])('incidents that were read at %s are stale: %s', (readAt, stale) => {
  expect(isStale({ timestamp: '2026-01-15T10:30:00Z', ...(readAt && { readAt }) })).toBe(stale);
});
