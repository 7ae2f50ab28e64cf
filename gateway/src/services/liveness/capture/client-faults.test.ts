import { clientFaultsOf, withFaults } from './client-faults';

const chrome = 'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 Chrome/131.0.0.0 Mobile Safari/537.36';
const firefox = (version: number) =>
  `Mozilla/5.0 (X11; Linux x86_64; rv:${version}.0) Gecko/20100101 Firefox/${version}.0`;
const safari = (version: string) =>
  `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/${version} Safari/605.1.15`;
const iphone = (system: string) =>
  `Mozilla/5.0 (iPhone; CPU iPhone OS ${system} like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148`;

const page = { origin: 'https://verify.example' };
const metadata = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' };
const faults = (headers: Record<string, string>, isFromAllowedPage = true) =>
  clientFaultsOf({ headers, isFromAllowedPage });

test.each([
  ['Chrome', { 'user-agent': chrome, ...metadata, 'sec-ch-ua': '"Chromium";v="131", "Not_A Brand";v="24"' }],
  ['a web view of Android, which sends no client hints', { 'user-agent': `${chrome} wv`, ...metadata }],
  ['Chrome before fetch metadata', { 'user-agent': chrome.replace('131', '75') }],
  ['Firefox', { 'user-agent': firefox(128), ...metadata }],
  ['Firefox before fetch metadata', { 'user-agent': firefox(89) }],
  ['Safari', { 'user-agent': safari('17.1'), ...metadata }],
  ['Safari before fetch metadata', { 'user-agent': safari('16.3') }],
  ['a web view of an iPhone', { 'user-agent': iphone('17_2'), ...metadata }],
  ['an old iPhone', { 'user-agent': iphone('15_8') }],
  ['a web view of a Mac', { 'user-agent': safari('17.1').replace(/ Version.*/, '') }],
])('%s on an allowed page has no faults', (_, headers) => {
  expect(faults({ ...page, ...headers })).toEqual([]);
});

test('a page without TLS gets no fetch metadata', () => {
  expect(faults({ origin: 'http://192.0.2.7:8000', 'user-agent': chrome })).toEqual([]);
});

test.each(['okhttp/4.12.0', 'Dart/3.5 (dart:io)', 'Shop/7 CFNetwork/1494.0.7 Darwin/23.4.0', ''])(
  'an app without an origin has no faults: %s',
  (userAgent) => expect(faults({ 'user-agent': userAgent }, false)).toEqual([]),
);

test.each([
  ['a foreign page', { 'user-agent': chrome, origin: 'https://evil.example', ...metadata }, ['origin']],
  ['a page without an origin of its own', { 'user-agent': chrome, origin: 'null', ...metadata }, ['origin']],
  ['a browser without an origin', { 'user-agent': chrome }, ['origin']],
  ['a browser of an unknown engine without an origin', { 'user-agent': 'Mozilla/5.0 (X11)' }, ['origin']],
])('%s has a wrong origin', (_, headers, expected) => {
  expect(faults(headers as never, false)).toEqual(expected);
});

test.each([{ 'user-agent': 'curl/8.5.0' }, { 'user-agent': '' }, {}])(
  'a program that has the origin of a page but names no browser has a fault: %j',
  (headers: Record<string, string>) => {
    expect(faults({ ...page, ...headers })).toEqual(['browser']);
    expect(faults({ origin: 'https://evil.example', ...headers }, false)).toEqual(['origin', 'browser']);
  },
);

test.each([
  ['chrome', chrome],
  ['firefox', firefox(128)],
  ['safari', safari('16.4')],
  ['iphone', iphone('16_4')],
])('a program that calls itself %s sends no fetch metadata', (_, userAgent) => {
  expect(faults({ ...page, 'user-agent': userAgent })).toEqual(['fetchMetadata']);
});

test.each([
  { ...metadata, 'sec-fetch-site': 'none' },
  { ...metadata, 'sec-fetch-mode': 'navigate' },
  { ...metadata, 'sec-fetch-dest': 'document' },
])('fetch metadata must be that of a call by a page: %j', (wrong) => {
  expect(faults({ ...page, 'user-agent': chrome, ...wrong })).toEqual(['fetchMetadata']);
});

test.each([
  ['another version', chrome, '"Chromium";v="120"'],
  ['another engine', firefox(128), '"Chromium";v="128"'],
  ['no engine', chrome, '"Not_A Brand";v="24"'],
])('client hints of %s contradict the user agent', (_, userAgent, hints) => {
  expect(faults({ ...page, 'user-agent': userAgent, ...metadata, 'sec-ch-ua': hints })).toEqual(['browser']);
});

test('faults of several calls add up', () => {
  expect(withFaults(['browser'], ['origin', 'browser'])).toEqual(['origin', 'browser']);
});
