import { detectedAt, nameOf } from './moderation';

const ELEMENTS = [
  { type: 'Suggestive', confidence: 0.5 },
  {
    type: 'Violence',
    confidence: 0.7,
    subTypes: [
      { type: 'Knife', confidence: 0.2 },
      { type: 'Scissors', confidence: 0.7 },
    ],
  },
  { type: 'Explicit', confidence: 0.49 },
];

test('elements at or above the threshold are detected, most confident first', () => {
  expect(detectedAt(ELEMENTS, 0.5).map(({ type }) => type)).toEqual(['Violence', 'Suggestive']);
  expect(detectedAt(ELEMENTS, 0.71)).toEqual([]);
});

test('a category is named with its most confident subtype, if any', () => {
  expect(detectedAt(ELEMENTS, 0.5).map(nameOf)).toEqual(['Violence: Scissors', 'Suggestive']);
});
