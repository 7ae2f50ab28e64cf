import { addMonths, type Consent, consentTo, isValid, parseConsent, secondsLeft } from './consent';

const at = (text: string) => Date.parse(text);
const given = (timestamp: string): Consent => ({
  necessary: true,
  analytics: true,
  marketing: false,
  timestamp,
});

describe('13 months after a choice', () => {
  test.each([
    ['2025-03-10T08:30:00.000Z', '2026-04-10T08:30:00.000Z'],
    ['2025-12-31T23:59:59.999Z', '2027-01-31T23:59:59.999Z'],
    // February has no 30th or 31st.
    ['2025-01-31T12:00:00.000Z', '2026-02-28T12:00:00.000Z'],
    ['2027-01-30T12:00:00.000Z', '2028-02-29T12:00:00.000Z'],
    ['2024-02-29T00:00:00.000Z', '2025-03-29T00:00:00.000Z'],
  ])('%s it ends at %s, to the millisecond', (chosen, end) => {
    expect(new Date(addMonths(at(chosen), 13)).toISOString()).toBe(end);
    expect(isValid(given(chosen), at(end) - 1)).toBe(true);
    expect(isValid(given(chosen), at(end))).toBe(false);
  });
});

test('a choice from the future is invalid, unless it is less than a day ahead', () => {
  const now = at('2026-06-01T00:00:00Z');
  expect(isValid(given('2026-06-01T23:00:00Z'), now)).toBe(true);
  expect(isValid(given('2026-06-02T01:00:00Z'), now)).toBe(false);
});

test('the cookie lives 395 days from the choice', () => {
  const chosen = at('2026-01-01T00:00:00Z');
  expect(secondsLeft(given('2026-01-01T00:00:00Z'), chosen)).toBe(34_128_000);
  expect(secondsLeft(given('2026-01-01T00:00:00Z'), chosen + 86_400_000)).toBe(34_128_000 - 86_400);
});

describe('a record', () => {
  const NOW = at('2026-05-04T03:02:01Z');

  test('round-trips', () => {
    const consent = consentTo({ analytics: false, marketing: true }, NOW);
    expect(parseConsent(JSON.stringify(consent))).toEqual(consent);
    expect(consent).toEqual({
      necessary: true,
      analytics: false,
      marketing: true,
      timestamp: '2026-05-04T03:02:01.000Z',
    });
  });

  test('accepts a time in milliseconds', () => {
    const text = JSON.stringify({ analytics: true, timestamp: NOW });
    expect(parseConsent(text)?.timestamp).toBe('2026-05-04T03:02:01.000Z');
  });

  test('always includes the necessary category, and others only if true', () => {
    const text = JSON.stringify({ necessary: false, analytics: 'yes', marketing: 1, timestamp: NOW });
    expect(parseConsent(text)).toMatchObject({ necessary: true, analytics: false, marketing: false });
  });

  test.each([
    ['nothing', null],
    ['no text', ''],
    ['no JSON', '{analytics'],
    ['no object', 'null'],
    ['no date', '{"analytics":true}'],
    ['an empty date', '{"analytics":true,"timestamp":null}'],
    ['a date that is none', '{"analytics":true,"timestamp":"soon"}'],
  ])('is invalid: %s', (_what, text) => {
    expect(parseConsent(text)).toBeNull();
  });
});
