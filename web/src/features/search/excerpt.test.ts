import { excerptOf, markTerms } from './excerpt';

const marked = (text: string, terms: string[]) =>
  markTerms(text, terms)
    .map(({ text: part, isMatch }) => (isMatch ? `[${part}]` : part))
    .join('');

describe('what matches is marked', () => {
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

  test('every part knows where it begins', () => {
    for (const { text, start } of markTerms('one two three two', ['two']))
      expect('one two three two'.slice(start, start + text.length)).toBe(text);
  });
});

describe('the part of a long text that is shown', () => {
  const words = Array.from({ length: 100 }, (_, index) => `word${index}`).join(' ');

  test('a short text is shown whole', () => {
    expect(excerptOf('A short text.', ['short'])).toBe('A short text.');
  });

  test('it begins at the beginning where nothing matches', () => {
    expect(excerptOf(words, ['else'])).toMatch(/^word0 .* …$/);
  });

  test('it has the first match in it, cut between words', () => {
    const excerpt = excerptOf(words, ['word60']);
    expect(excerpt).toMatch(/^… word\d+ .*\bword60\b.* word\d+ …$/);
    expect(excerpt.length).toBeLessThan(160);
  });

  test('it ends with the text where the match is near its end', () => {
    expect(excerptOf(words, ['word99'])).toMatch(/^… .*word99$/);
  });

  test('a text without spaces is cut all the same', () => {
    expect(excerptOf('x'.repeat(400), []).length).toBeLessThan(160);
  });
});
