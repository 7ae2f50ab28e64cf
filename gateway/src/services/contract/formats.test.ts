import Ajv2020 from 'ajv/dist/2020';
import { addFormats } from './formats';

const ajv = new Ajv2020();
addFormats(ajv);
const isUri = ajv.compile({ type: 'string', format: 'uri' });
const isTime = ajv.compile({ type: 'string', format: 'date-time' });

test('a time is one that can be compared with others', () => {
  for (const text of ['2026-11-30T09:00:00Z', '2026-11-30T09:00:00.5+01:00'])
    expect([text, isTime(text)]).toEqual([text, true]);
  for (const text of ['2026-11-30T09:00:00+01', '2026-11-30T23:59:60Z', '2026-11-30', '2026-13-01T09:00:00Z'])
    expect([text, isTime(text)]).toEqual([text, false]);
});

test('a URI is one that can be followed, by its grammar and as a browser reads it', () => {
  expect(isUri('https://app.example.com:8443/done')).toBe(true);
  for (const text of ['HTTPS://app.example.com', 'MyApp://done', 'COM.example.shop://done'])
    expect([text, isUri(text)]).toEqual([text, true]);
  for (const text of ['myapp://done', 'com.example.shop://done?user=%C3%A4#end', 'myapp://'])
    expect([text, isUri(text)]).toEqual([text, true]);
  // The grammar allows the first two, and browsers the third.
  for (const text of ['https://?done', 'https://app.example.com:99999/', 'https://app.example.com/a|b'])
    expect([text, isUri(text)]).toEqual([text, false]);
});

test('a URI never runs a script or starts a program of the system', () => {
  for (const text of ['javascript:alert(1)', 'javascript://%0aalert(1)', 'data:text/html,x', 'search-ms://x'])
    expect([text, isUri(text)]).toEqual([text, false]);
  for (const text of ['JavaScript:alert(1)', 'JAVASCRIPT://%0aalert(1)', 'DATA:text/html,x', 'Search-MS://x'])
    expect([text, isUri(text)]).toEqual([text, false]);
  for (const text of ['myapp:done', 'myapp://a b', 'myapp://"><script>', 'myapp://done\n'])
    expect([text, isUri(text)]).toEqual([text, false]);
});
