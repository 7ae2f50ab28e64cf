import { excerptOf, markTerms } from './excerpt';

const marked = (text: string, terms: string[]) =>
  markTerms(text, terms)
    .map(({ text: part, isMatch }) => (isMatch ? `[${part}]` : part))
    .join('');

describe('marks of matches', () => {
  test.each([
    ['Rate limit exceeded', ['rate', 'limit'], '[Rate] [limit] exceeded'],
    ['RATE_LIMIT_EXCEEDED', ['rate', 'exceeded'], '[RATE]_LIMIT_[EXCEEDED]'],
    ['similarityThreshold', ['similarity'], '[similarity]Threshold'],
    ['A similar face, dissimilar', ['similar'], 'A [similar] face, dissimilar'],
    ['live liveness', ['live', 'liveness'], '[live] [liveness]'],
    ['/v1/detect', ['detect'], '/v1/[detect]'],
    ['nothing here', ['else'], 'nothing here'],
    ['', ['else'], ''],
  ])('%s', (text, terms, expected) => {
    expect(marked(text, terms)).toBe(expected);
  });

  test('every part has its start position', () => {
    for (const { text, start } of markTerms('one two three two', ['two']))
      expect('one two three two'.slice(start, start + text.length)).toBe(text);
  });
});

describe('the excerpt of a long text', () => {
  const words = Array.from({ length: 100 }, (_, index) => `word${index}`).join(' ');

  test('is the whole text if it is short', () => {
    expect(excerptOf('A short text.', ['short'])).toBe('A short text.');
  });

  test('starts at the beginning without a match', () => {
    expect(excerptOf(words, ['else'])).toMatch(/^word0 .* …$/);
  });

  test('contains the first match and is cut between words', () => {
    const excerpt = excerptOf(words, ['word60']);
    expect(excerpt).toMatch(/^… word\d+ .*\bword60\b.* word\d+ …$/);
    expect(excerpt.length).toBeLessThan(160);
  });

  test('ends with the text if the match is near the end', () => {
    expect(excerptOf(words, ['word99'])).toMatch(/^… .*word99$/);
  });

  test('cuts a text without spaces', () => {
    expect(excerptOf('x'.repeat(400), []).length).toBeLessThan(160);
  });
});
