import site from '../../../content/site.json';
import { callInNode } from '../../../test/call-in-node';
import { mailUrl } from './mail-url';
import { openOutside } from './open-outside';

const signUpUrl = (...args: [{ signUp: string; source: string; campaign: string }, string]): string =>
  callInNode('src/components/sign-up/sign-up-url.mjs', 'signUpUrl', ...args);

test('the address contains the source of the visit and the chosen plan', () => {
  const path = signUpUrl({ signUp: '/console/sign-up', source: 'web site', campaign: 'a&b' }, 'growth');
  const url = new URL(path, 'https://site.example');
  expect(url.pathname).toBe('/console/sign-up');
  expect(Object.fromEntries(url.searchParams)).toEqual({
    source: 'web site',
    utm_campaign: 'a&b',
    plan: 'growth',
  });
});

test('a customer confirms the chosen plan on the page for billing', () => {
  const address = callInNode('src/components/sign-up/sign-up-url.mjs', 'billingUrl', site.console, 'growth');
  expect(address).toBe('/console/billing?plan=growth');
});

test('a mail draft keeps spaces and line breaks', () => {
  expect(
    mailUrl({ to: 'sales@site.example', subject: 'Enterprise Plan Inquiry', body: 'Hello,\nA & B' }),
  ).toBe('mailto:sales@site.example?subject=Enterprise%20Plan%20Inquiry&body=Hello%2C%0D%0AA%20%26%20B');
});

describe('leaving the site', () => {
  const leave = (tab: { opener: unknown } | null) => {
    const calls: string[] = [];
    openOutside('/console', {
      open(url, target) {
        calls.push(`open ${url} ${target}`);
        return tab;
      },
      location: { assign: (url) => calls.push(`assign ${url}`) },
    });
    return calls;
  };

  test('opens a new tab without an opener', () => {
    const tab = { opener: 'this window' };
    expect(leave(tab)).toEqual(['open /console _blank']);
    expect(tab.opener).toBeNull();
  });

  test('uses this tab if popups are blocked', () => {
    expect(leave(null)).toEqual(['open /console _blank', 'assign /console']);
  });
});
