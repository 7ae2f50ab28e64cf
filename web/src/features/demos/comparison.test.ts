import limits from '@presenza/contract/limits.json';
import { bandOf, isMatch, similarityOf } from './comparison';

const { guidance } = limits.thresholds;
const PAIRS = [
  { source: 'a', target: 'b', similarity: 0.9 },
  { source: 'a', target: 'c', similarity: 0.3 },
];

test('a pair has one similarity, whichever way round', () => {
  expect(similarityOf(PAIRS, 'a', 'c')).toBe(0.3);
  expect(similarityOf(PAIRS, 'c', 'a')).toBe(0.3);
});

test('a pair that was never compared is a mistake, not a 0', () => {
  expect(() => similarityOf(PAIRS, 'b', 'c')).toThrow('b and c were not compared.');
});

test('a similarity that equals the threshold matches, as the API has it', () => {
  expect([0.79, 0.8, 0.81].map((similarity) => isMatch(similarity, 0.8))).toEqual([false, true, true]);
});

test('every threshold from the lowest band up has one name, the ends of bands included', () => {
  const names = [0.69, 0.7, 0.79, 0.8, 0.9, 1].map((threshold) => bandOf(guidance, threshold)?.label);
  expect(names).toEqual([undefined, 'Lenient', 'Lenient', 'Balanced', 'Strict', 'Strict']);
});
