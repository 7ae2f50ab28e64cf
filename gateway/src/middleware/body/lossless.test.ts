import type { ApiError } from '../../errors';
import { checkLossless } from './lossless';

function refusalOf(text: string) {
  JSON.parse(text);
  try {
    checkLossless(text);
    return undefined;
  } catch (error) {
    const { reason, param } = (error as ApiError).body;
    return { reason, param };
  }
}

test.each([
  ['{"a":1,"a":1}', 'a'],
  ['{"a":{"b":{},"b":[]}}', 'a.b'],
  ['{"a":[{},{"b":1,"c":[2,{"b":3}],"b":2}]}', 'a.1.b'],
  ['{ "a" : "{,\\"a\\":\\\\" , "a" : null }', 'a'],
  ['{"image":1,"im\\u0061ge":2}', 'image'],
  ['{"":1,"":2}', '""'],
  [`{"${'x'.repeat(99)}":1,"${'x'.repeat(99)}":2}`, 'x'.repeat(64)],
])('a name that is repeated in %s', (text, param) => {
  expect(refusalOf(text)).toEqual({ reason: 'repeated', param });
});

test.each([
  ['{"__proto__":1}', '__proto__'],
  ['{"metadata":{"constructor":null}}', 'metadata.constructor'],
  ['{"a":[1,{"b":{"prototype":{}}}]}', 'a.1.b.prototype'],
  ['{"\\u005f_proto__":1}', '__proto__'],
])('a name that changes prototypes in %s', (text, param) => {
  expect(refusalOf(text)).toEqual({ reason: 'name', param });
});

test('such words are allowed as values and as parts of names', () => {
  expect(refusalOf('{"a":"__proto__","proto":"constructor","constructors":["prototype"]}')).toBeUndefined();
});

test.each([
  '1e309',
  '-1e309',
  '1e-400',
  '-0.5e-999',
  '9007199254740992',
  '-9007199254740993',
  '1'.repeat(400),
  '9007199254740993.0',
  '-90071992547409930e-1',
  '123456789012345678E1',
])('the number %s, which a double cannot hold', (number) => {
  expect(refusalOf(`{"a":[true,${number}]}`)).toEqual({ reason: 'number', param: 'a.1' });
});

test.each([
  '0',
  '-0',
  '0e5',
  '0.0e-999',
  '9007199254740991',
  '-9007199254740991',
  '0.1',
  '1e308',
  '5e-324',
  '1E+2',
  '1.7976931348623157e308',
  '0.01e24',
])('the number %s is kept', (number) => {
  expect(refusalOf(`{"a":${number},"b":[${number} , ${number}]}`)).toBeUndefined();
});

test.each([
  '{"a":{"a":{"a":[]}},"b":{"a":1}}',
  '[{"a":1},{"a":1},"a","a"]',
  '{"a":"a\\\\","b":"\\"a\\":1e999","c":"1e999"}',
  '{"a":[[],[{}],false,null,"é"],"é":"\\u00e9"}',
  '{}',
  '1',
])('%s is the same after JSON.parse', (text) => {
  expect(refusalOf(text)).toBeUndefined();
});

test('a deep nest takes no stack', () => {
  expect(refusalOf(`{"a":${'['.repeat(5_000)}1e999${']'.repeat(5_000)}}`)).toMatchObject({
    reason: 'number',
  });
});
