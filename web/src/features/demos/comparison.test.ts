import limits from '@presenza/contract/limits.json';
import { bandOf, isMatch, similarityOf, textOf } from './comparison';

const { guidance } = limits.thresholds;
const PAIRS = [
  { source: 'a', target: 'b', similarity: 0.9 },
  { source: 'a', target: 'c', similarity: 0.3 },
];

test('the similarity of a pair is symmetric', () => {
  expect(similarityOf(PAIRS, 'a', 'c')).toBe(0.3);
  expect(similarityOf(PAIRS, 'c', 'a')).toBe(0.3);
});

test('a pair without a comparison is an error', () => {
  expect(() => similarityOf(PAIRS, 'b', 'c')).toThrow('b and c were not compared.');
});

test('a similarity equal to the threshold matches, as in the API', () => {
  expect([0.79, 0.8, 0.81].map((similarity) => isMatch(similarity, 0.8))).toEqual([false, true, true]);
});

test('every threshold from the lowest band on has one name, including the ends of bands', () => {
  const names = [0.69, 0.7, 0.79, 0.8, 0.9, 1].map((threshold) => bandOf(guidance, threshold)?.label);
  expect(names).toEqual([undefined, 'Lenient', 'Lenient', 'Balanced', 'Strict', 'Strict']);
});

test('warnings have texts, and a warning without a text is an error', () => {
  const texts = [
    { warning: 'blur', text: 'blurred' },
    { warning: 'dark', text: 'too dark' },
  ];
  expect(textOf(['dark', 'blur'], texts)).toBe('too dark, blurred');
  expect(() => textOf(['small'], texts)).toThrow('The warning small has no text.');
});
