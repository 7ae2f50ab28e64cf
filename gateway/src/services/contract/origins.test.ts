import { isOrigin, isSecureOrigin } from './origins';

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
  ...['', '*', 'null', 'shop.example', 'https://', 'https://shop.example/', 'https://SHOP.example'],
  ...['https://shop.example:443', 'https://*.shop.example', 'https://a@shop.example', 'ftp://shop.example'],
  ...['capacitor://', 'capacitor://localhost/', 'myapp://localhost', 'file://', 'https://shop.example\n'],
])('%j is no origin', (text) => {
  expect([isOrigin(text), isSecureOrigin(text)]).toEqual([false, false]);
});
