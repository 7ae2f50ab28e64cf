import { type Analytics, createTrack } from './create-track';

const NOW = Date.UTC(2026, 0, 2, 3, 4, 5);

interface Sent {
  url: string;
  body: { event: string; page: string; time: string; properties: Record<string, string> };
}

function analytics(given: Partial<Analytics> = {}) {
  const sent: Sent[] = [];
  const track = createTrack({
    endpoint: () => 'https://events.example.com/v1',
    hasConsent: () => true,
    page: () => '/pricing',
    now: () => NOW,
    send: (url, body) => sent.push({ url, body: JSON.parse(body) }),
    ...given,
  });
  return { track, sent };
}

test('an event is sent to the endpoint with page, time and properties', () => {
  const { track, sent } = analytics();
  track('plan_clicked', { plan: 'growth' });
  expect(sent).toEqual([
    {
      url: 'https://events.example.com/v1',
      body: {
        event: 'plan_clicked',
        page: '/pricing',
        time: '2026-01-02T03:04:05.000Z',
        properties: { plan: 'growth' },
      },
    },
  ]);
});

test.each([
  ['consent', { hasConsent: () => false }],
  ['an endpoint', { endpoint: () => null }],
])('without %s nothing is sent', (_missing, given) => {
  const { track, sent } = analytics(given);
  track('page_view');
  expect(sent).toEqual([]);
});

test('every event checks the consent', () => {
  let consent = false;
  const { track, sent } = analytics({ hasConsent: () => consent });
  track('first');
  consent = true;
  track('second');
  consent = false;
  track('third');
  expect(sent).toEqual([expect.objectContaining({ body: expect.objectContaining({ event: 'second' }) })]);
});

test('the size of an event is bounded', () => {
  const { track, sent } = analytics({ page: () => `/${'p'.repeat(5000)}` });
  const many = Object.fromEntries(
    Array.from({ length: 50 }, (_, i) => [`${i}-${'n'.repeat(500)}`, 'v'.repeat(5000)]),
  );
  track('e'.repeat(500), many);
  const { event, page, properties } = (sent[0] as Sent).body;
  expect(event).toHaveLength(40);
  expect(page).toHaveLength(200);
  expect(Object.keys(properties)).toHaveLength(8);
  for (const [name, value] of Object.entries(properties)) {
    expect(name).toHaveLength(40);
    expect(value).toHaveLength(200);
  }
});
