import { highest, highestElements, highestProbabilities } from './animation';

const element = (type: string, confidence: number, subTypes: Record<string, number>) => ({
  type,
  confidence,
  subTypes: Object.entries(subTypes).map(([name, value]) => ({ type: name, confidence: value })),
});

test('each category and subtype gets the highest confidence that it has in any frame', () => {
  const frames = [
    element('Violence', 0.6, { Knife: 0.6, Scissors: 0.1 }),
    element('Explicit', 0.1, { Porn: 0.1, Hentai: 0 }),
    element('Violence', 0.9, { Scissors: 0.9, Knife: 0.2 }),
    element('Explicit', 0.4, { Hentai: 0.3, Porn: 0.1 }),
  ];
  expect(highestElements(frames)).toEqual([
    element('Violence', 0.9, { Scissors: 0.9, Knife: 0.6 }),
    element('Explicit', 0.4, { Hentai: 0.3, Porn: 0.1 }),
  ]);
  expect(highestElements(frames.slice(0, 1))).toEqual(frames.slice(0, 1));
});

test('custom categories and classes get theirs by position and by name', () => {
  expect(
    highest([
      [0.1, 0.9],
      [0.3, 0.2],
    ]),
  ).toEqual([0.3, 0.9]);
  expect(highest([])).toEqual([]);
  const probabilities = { Drawing: 0.5, Hentai: 0, Neutral: 0.5, Porn: 0, Sexy: 0 };
  expect(highestProbabilities([probabilities, { ...probabilities, Porn: 0.7, Neutral: 0.1 }])).toEqual({
    ...probabilities,
    Porn: 0.7,
  });
});
