import { isLocal } from './local-page';

test.each([
  'http://localhost:8000/',
  'http://site.localhost/',
  'http://127.0.0.1:8000/',
  'http://127.1.2.3/',
  'http://[::1]:8000/',
])('%s is a page of this machine', (address) => {
  expect(isLocal(new URL(address))).toBe(true);
});

test.each([
  'https://localhost:8000/',
  'https://example.com/',
  'http://example.com/',
  'http://localhost.example.com/',
  'http://mylocalhost/',
  'http://127.0.0.1.example.com/',
  'http://192.168.0.1/',
  'http://[::2]/',
])('%s is not', (address) => {
  expect(isLocal(new URL(address))).toBe(false);
});
