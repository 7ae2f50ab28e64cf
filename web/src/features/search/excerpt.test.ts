import { excerptOf, markTerms } from './excerpt';
import { allTermsOf, termsOf } from './terms.mjs';

const marked = (text: string, query: string) =>
  markTerms(text, allTermsOf(query))
    .map(({ text: part, isMatch }) => (isMatch ? `[${part}]` : part))
    .join('');

describe('marks of matches', () => {
  test.each([
    ['Rate limit exceeded', 'rates limiting', '[Rate] [limit] exceeded'],
    ['RATE_LIMIT_EXCEEDED', 'rate exceeded', '[RATE]_LIMIT_[EXCEEDED]'],
    ['similarityThreshold', 'threshold', '[similarityThreshold]'],
    ['A similar face, dissimilar', 'similar', 'A [similar] face, dissimilar'],
    ['/v1/detect', 'detection', '/v1/[detect]'],
    ['nothing here', 'else', 'nothing here'],
    ['', 'else', ''],
  ])('%s', (text, query, expected) => {
    expect(marked(text, query)).toBe(expected);
  });

  test('every part has its start position', () => {
    for (const { text, start } of markTerms('one two three two', ['two']))
      expect('one two three two'.slice(start, start + text.length)).toBe(text);
  });
});

test('the terms of a question are the stems of its subject', () => {
  expect(termsOf('How do I verify the requestId of images?')).toEqual(allTermsOf('verify requestId image'));
});

describe('the excerpt of a long text', () => {
  const text = Array.from({ length: 100 }, (_, index) => `word${index}`).join(' ');

  test('is the whole text if it is short', () => {
    expect(excerptOf('A short text.', ['short'])).toBe('A short text.');
  });

  test('starts at the beginning without a match', () => {
    expect(excerptOf(text, ['else'])).toMatch(/^word0 .* …$/);
  });

  test('contains the first match and is cut between words', () => {
    const excerpt = excerptOf(text, ['word60']);
    expect(excerpt).toMatch(/^… word\d+ .*\bword60\b.* word\d+ …$/);
    expect(excerpt.length).toBeLessThan(160);
  });

  test('ends with the text if the match is near the end', () => {
    expect(excerptOf(text, ['word99'])).toMatch(/^… .*word99$/);
  });

  test('cuts a text without spaces', () => {
    expect(excerptOf('x'.repeat(400), []).length).toBeLessThan(160);
  });
});
