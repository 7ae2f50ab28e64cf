import Ajv2020 from 'ajv/dist/2020';
import { addFormats } from './formats';

test('a URI is one that can be followed, by its grammar and as a browser reads it', () => {
  const ajv = new Ajv2020();
  addFormats(ajv);
  const isUri = ajv.compile({ type: 'string', format: 'uri' });
  expect(isUri('https://app.example.com:8443/done')).toBe(true);
  expect(isUri('myapp://done')).toBe(true);
  // The grammar allows the first two, and browsers the third.
  for (const text of ['https://?done', 'https://app.example.com:99999/', 'https://app.example.com/a|b']) {
    expect([text, isUri(text)]).toEqual([text, false]);
  }
});
