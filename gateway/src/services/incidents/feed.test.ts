import { feedOf } from './feed';
import type { Incident } from './incident';

const page = 'https://example.com/status';
const at = Date.parse('2026-01-15T08:00:00Z');
const minute = 60_000;

const incident = (change: Partial<Incident> = {}): Incident => ({
  id: 'inc_1',
  title: 'Sessions fail',
  planned: false,
  components: ['liveness'],
  impact: 'outage',
  startsAt: at,
  updates: [
    { status: 'investigating', text: 'First line.\nSecond line.', at },
    { status: 'identified', text: 'A disk is full.', at: at + minute },
  ],
  ...change,
});

test('a feed without incidents has the required elements', () => {
  const feed = feedOf([], at, page);
  expect(feed).toContain(`<id>${page}</id>`);
  expect(feed).toContain('<updated>1970-01-01T00:00:00.000Z</updated>');
  expect(feed).not.toContain('<entry>');
});

test('an entry has the state in its title, and all updates, the newest first', () => {
  const feed = feedOf([incident()], at + minute, page);
  expect(feed).toContain('<title>Identified: Sessions fail</title>');
  expect(feed).toContain(`<id>${page}#inc_1</id>`);
  expect(feed).toContain('<updated>2026-01-15T08:01:00.000Z</updated>');
  expect(feed).toContain('&lt;p&gt;Outage: Liveness&lt;/p&gt;');
  expect(feed).toContain('First line.&lt;br&gt;Second line.');
  expect(feed.indexOf('A disk is full.')).toBeLessThan(feed.indexOf('First line.'));
});

test('entries are in the order of their last updates, up to a limit', () => {
  const many = Array.from({ length: 30 }, (_, place) =>
    incident({
      id: `inc_${place}`,
      updates: [{ status: 'resolved', text: 'Text', at: at + place * minute }],
    }),
  );
  const ids = [...feedOf(many, at, page).matchAll(/#(inc_\d+)<\/id>/g)].map(([, id]) => id);
  expect(ids).toEqual(Array.from({ length: 25 }, (_, place) => `inc_${29 - place}`));
});

test('a text with markup stays text, and characters that XML forbids are left out', () => {
  const title = `<script>alert(1)</script> & "quotes"\u0000\uffff`;
  const updates = [{ status: 'investigating' as const, text: `]]></content><b>bold</b>`, at }];
  const feed = feedOf([incident({ title, updates })], at, page);
  expect(feed).toContain('&lt;script&gt;alert(1)&lt;/script&gt; &amp; &quot;quotes&quot;</title>');
  expect(feed).toContain('&amp;lt;b&amp;gt;bold&amp;lt;/b&amp;gt;');
  expect(feed).not.toMatch(/<(?:script|b)>/);
});
