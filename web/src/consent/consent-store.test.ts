import { createConsentStore, type TextStore } from './consent-store';

const DAY = 86_400_000;
const NOW = Date.parse('2026-03-01T00:00:00Z');

/** A fake browser with a cookie jar, which expires cookies and can refuse those that are Secure. */
function browser({ jar = '', secure = true, local = false, gpc = false } = {}) {
  const state = { now: NOW, gpc, written: [] as string[], jar, expires: Number.POSITIVE_INFINITY };
  const text = (initial: string | null): TextStore & { value: string | null } => ({
    value: initial,
    get() {
      return this.value;
    },
    set(value) {
      this.value = value;
    },
  });
  const stores = { visit: text(null) };
  const open = () =>
    createConsentStore({
      cookies: {
        read: () => (state.now < state.expires ? state.jar : ''),
        write(cookie) {
          state.written.push(cookie);
          if (!secure && cookie.includes('; Secure')) return;
          state.jar = `other=1; ${cookie.split(';')[0]}`;
          state.expires = state.now + Number(/Max-Age=(-?\d+)/.exec(cookie)?.[1]) * 1000;
        },
      },
      isLocal: () => local,
      now: () => state.now,
      optsOut: () => state.gpc,
      ...stores,
    });
  return { state, ...stores, open };
}

const cookieOf = (record: object) => `consent=${encodeURIComponent(JSON.stringify(record))}`;
const YES = { analytics: true, marketing: true };

test('a choice is stored in a secure, same-site cookie for 395 days', () => {
  const { state, open } = browser();
  open().save({ analytics: true, marketing: false });
  expect(state.written).toHaveLength(1);
  const [value = '', ...attributes] = (state.written[0] ?? '').split('; ');
  expect(attributes).toEqual(['Path=/', 'Max-Age=34128000', 'Secure', 'SameSite=Strict']);
  expect(JSON.parse(decodeURIComponent(value.replace('consent=', '')))).toEqual({
    necessary: true,
    analytics: true,
    marketing: false,
    timestamp: '2026-03-01T00:00:00.000Z',
  });
});

test('the next page reads it, and gets the same object until it changes', () => {
  const site = browser();
  site.open().save(YES);
  const store = site.open();
  expect(store.current()).toMatchObject(YES);
  expect(store.current()).toBe(store.current());
});

test('the latest choice takes effect, and listeners are notified', () => {
  const store = browser().open();
  const heard: boolean[] = [];
  const stop = store.subscribe(() => heard.push(store.allows('analytics')));
  expect(store.allows('analytics')).toBe(false);
  store.save(YES);
  store.save({ analytics: false, marketing: true });
  stop();
  store.save(YES);
  expect(heard).toEqual([true, false]);
});

test('a choice expires after 13 months, even if the cookie still exists', () => {
  // 1 February to 1 March of the next year is 393 days, two days less than the cookie's lifetime.
  const site = browser();
  site.state.now = Date.parse('2026-02-01T00:00:00Z');
  const store = site.open();
  store.save(YES);
  site.state.now = Date.parse('2027-02-28T23:59:59Z');
  expect(store.current()).toMatchObject(YES);
  site.state.now = Date.parse('2027-03-01T00:00:00Z');
  expect(store.current()).toBeNull();
  expect(store.allows('analytics')).toBe(false);
  expect(site.state.now).toBeLessThan(site.state.expires);
});

test('reading does not extend a choice', () => {
  const site = browser();
  site.open().save(YES);
  for (let day = 1; day < 395; day += 30) {
    site.state.now = NOW + day * DAY;
    expect(site.open().current()).toMatchObject(YES);
  }
  expect(site.state.written).toHaveLength(1);
  site.state.now = NOW + 395 * DAY;
  expect(site.open().current()).toBeNull();
});

test.each(['consent=%E0%A4%A', 'consent=', 'consent=null', cookieOf({ analytics: true })])(
  'the cookie %s is no consent',
  (jar) => {
    expect(browser({ jar }).open().current()).toBeNull();
  },
);

test('a cookie with the same suffix in its name is ignored', () => {
  const jar = `my${cookieOf({ ...YES, timestamp: NOW })}`;
  expect(browser({ jar }).open().current()).toBeNull();
});

describe('without secure cookies', () => {
  test('a choice on a page of this machine is stored in a cookie that is not Secure', () => {
    const site = browser({ secure: false, local: true });
    site.open().save(YES);
    expect(site.state.written[0]).toMatch(/; Path=\/; Max-Age=\d+; SameSite=Strict$/);
    site.visit.value = null;
    expect(site.open().current()).toMatchObject(YES);
  });

  test('a choice lasts for the visit', () => {
    const site = browser({ secure: false });
    site.open().save(YES);
    expect(site.open().current()).toMatchObject(YES);
    site.visit.value = null;
    expect(site.open().current()).toBeNull();
  });
});

describe('with Global Privacy Control', () => {
  test('no choice allows anything optional', () => {
    const site = browser({ gpc: true, jar: cookieOf({ ...YES, timestamp: NOW }) });
    const store = site.open();
    expect(store.optsOut()).toBe(true);
    expect(store.allows('analytics')).toBe(false);
    store.save(YES);
    expect([store.allows('analytics'), store.allows('marketing')]).toEqual([false, false]);
  });

  test('a choice takes effect again once the browser stops sending the signal', () => {
    const site = browser({ gpc: true, jar: cookieOf({ ...YES, timestamp: NOW }) });
    const store = site.open();
    site.state.gpc = false;
    expect(store.allows('marketing')).toBe(true);
  });
});
