import { isLocalOrigin, isOrigin, isSecureOrigin, isTrustworthyOrigin, originsOfSite } from './origins';

test.each([
  'https://shop.example',
  'https://shop.example:8443',
  'https://[2001:db8::1]',
  'https://localhost',
  'capacitor://localhost',
  'ionic://app.shop.example',
])('%s is a secure origin', (origin) => {
  expect([isOrigin(origin), isSecureOrigin(origin)]).toEqual([true, true]);
});

test('a page without TLS has an origin, which is not secure', () => {
  expect([isOrigin('http://localhost:3000'), isSecureOrigin('http://localhost:3000')]).toEqual([true, false]);
});

test.each([
  '',
  '*',
  'null',
  'shop.example',
  'https://',
  'https://shop.example/',
  'https://SHOP.example',
  'https://shop.example:443',
  'https://*.shop.example',
  'https://a@shop.example',
  'ftp://shop.example',
  'capacitor://',
  'capacitor://localhost/',
  'myapp://localhost',
  'file://',
  'https://shop.example\n',
])('%j is no origin', (text) => {
  expect([isOrigin(text), isSecureOrigin(text)]).toEqual([false, false]);
});

test.each([
  'http://localhost',
  'http://localhost:3000',
  'https://localhost:5173',
  'http://127.0.0.1:65535',
  'http://[::1]:8080',
])('%s is an origin of this machine', (origin) => {
  expect([isLocalOrigin(origin), isTrustworthyOrigin(origin)]).toEqual([true, true]);
});

test.each([
  'http://localhost.evil.example',
  'http://127.0.0.1.evil.example:3000',
  'http://localhost:80@evil.example',
  'http://localhost@evil.example',
  'http://evil.example#localhost',
  'http://evil.example/localhost',
  'http://evil.example?localhost',
  'http://notlocalhost:3000',
  'http://localhost.',
  'http://localhost:80',
  'http://localhost:',
  'http://localhost:99999',
  'http://LOCALHOST:3000',
  'http://127.1:3000',
  'http://2130706433',
  'http://0.0.0.0:3000',
  'http://[::ffff:127.0.0.1]',
  'http://[::1',
  'http://localhost\n',
  'http://localhost http://evil.example',
  'ftp://localhost',
  'null',
])('%j is no origin of this machine', (text) => {
  expect([isLocalOrigin(text), isTrustworthyOrigin(text)]).toEqual([false, false]);
});

test.each(['capacitor://localhost', 'ionic://localhost'])('%s is an app, not this machine', (origin) => {
  expect([isLocalOrigin(origin), isTrustworthyOrigin(origin)]).toEqual([false, true]);
});

test.each(['http://shop.localhost:3000', 'http://127.0.0.2'])(
  'browsers trust %s like localhost',
  (origin) => {
    expect([isLocalOrigin(origin), isTrustworthyOrigin(origin)]).toEqual([false, true]);
  },
);

test.each([
  ['http://localhost:8000', ['http://127.0.0.1:8000', 'http://localhost:8000']],
  ['http://127.0.0.1', ['http://127.0.0.1', 'http://localhost']],
  ['https://localhost', ['https://localhost']],
  ['http://localhost.evil.example', ['http://localhost.evil.example']],
  ['https://shop.example', ['https://shop.example']],
])('a site at %s has the origins %j', (origin, all) => {
  expect(originsOfSite(origin)).toEqual(all);
});
