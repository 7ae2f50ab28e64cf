import { browserOf } from './browsers';

const mozilla = 'Mozilla/5.0';
const webKit = 'AppleWebKit/605.1.15 (KHTML, like Gecko)';

test.each([
  [`${mozilla} (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0`, 'Firefox', 'Linux'],
  [
    `${mozilla} (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0 Safari/537.36`,
    'Chrome',
    'Windows',
  ],
  [
    `${mozilla} (Windows NT 10.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0 Safari/537.36 Edg/131.0`,
    'Edge',
    'Windows',
  ],
  [
    `${mozilla} (Macintosh; Intel Mac OS X 10_15_7) ${webKit} Version/18.1 Safari/605.1.15`,
    'Safari',
    'macOS',
  ],
  [
    `${mozilla} (iPhone; CPU iPhone OS 18_1 like Mac OS X) ${webKit} Version/18.1 Mobile/15E148 Safari/604.1`,
    'Safari',
    'iPhone',
  ],
  [
    `${mozilla} (iPhone; CPU iPhone OS 18_1 like Mac OS X) ${webKit} CriOS/131.0 Mobile Safari/604.1`,
    'Chrome',
    'iPhone',
  ],
  [
    `${mozilla} (Linux; Android 14) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/27.0 Chrome/125.0 Mobile Safari/537.36`,
    'Samsung Internet',
    'Android',
  ],
])('recognizes "%s" as %s on %s', (header, browser, system) => {
  expect(browserOf('192.0.2.7', header)).toEqual({ browser, system, network: '192.0.2.0/24' });
});

test('keeps nothing of a header that names no browser', () => {
  expect(browserOf('2001:db8:1:2::7', '<script>')).toEqual({ network: '2001:db8:1:0::/48' });
  expect(browserOf('::ffff:192.0.2.7')).toEqual({ network: '192.0.2.0/24' });
});
