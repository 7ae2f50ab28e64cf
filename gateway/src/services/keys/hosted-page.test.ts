import { checkReturnSchemes, isAppUrl } from './hosted-page';

test.each(['myapp', 'com.example.app', 'my-app+1', 'a'.repeat(32)])('%s is a scheme of an app', (scheme) => {
  expect(() => checkReturnSchemes([scheme])).not.toThrow();
});

test.each([
  ...[
    'javascript',
    'data',
    'file',
    'intent',
    'vbscript',
    'blob',
    'about',
    'http',
    'https',
    'filesystem',
    'tel',
  ],
  ...['view-source', 'chrome-extension', 'moz-extension', 'ms-settings', 'android-app', 'itms-services'],
  ...['', 'my', 'MyApp', 'my app', '1app', 'my_app', 'myapp:', 'a'.repeat(33), 'exämple'],
])('"%s" is no scheme of an app', (scheme) => {
  expect(() => checkReturnSchemes(['myapp', scheme])).toThrow(`${scheme}`);
});

test.each([
  ['myapp://', true],
  ['myapp://done?user=1#end', true],
  ['myapp://done/%C3%A4', true],
  ['MYAPP://done', false],
  ['myapp:done', false],
  ['other://done', false],
  ['myapp://done\n', false],
  ['myapp://a b', false],
  ['myapp://"><script>', false],
  ["myapp://'", false],
  ['myapp://ä', false],
  ['javascript://%0aalert(1)', false],
])('%j returns to the app: %s', (url, allowed) => {
  expect(isAppUrl(url, ['myapp'])).toBe(allowed);
  expect(isAppUrl(url)).toBe(false);
});
