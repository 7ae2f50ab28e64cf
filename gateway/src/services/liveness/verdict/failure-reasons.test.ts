import { foremostReason } from '../session/foremost-reason';
import { failureReasonOf, failureReasonOfUnfinished } from './failure-reasons';

test.each([
  [['flat'], 'spoofSuspected'],
  [['screen'], 'spoofSuspected'],
  [['virtualCamera'], 'spoofSuspected'],
  [['otherPerson'], 'otherPerson'],
  [['severalFaces'], 'otherPerson'],
  [['noLight'], 'light'],
  [['missedTurn', 'faceAway'], 'movement'],
  [['sideUnseen'], 'movement'],
  [['missedTurn', 'noLight', 'severalFaces'], 'otherPerson'],
  [['missedTurn', 'foreignNonces'], 'spoofSuspected'],
] as const)('the refusals %j are reported as %s', (refused, reason) => {
  expect(failureReasonOf(refused)).toBe(reason);
});

test.each([
  ['noFace', 'gaveUp'],
  ['tooDark', 'light'],
  ['tooBright', 'light'],
  ['severalFaces', 'otherPerson'],
  ['turned', 'movement'],
  ['turnFurther', 'movement'],
  ['ok', 'movement'],
] as const)('an incomplete attempt that ends with the guidance %s is reported as %s', (guidance, reason) => {
  expect(failureReasonOfUnfinished(guidance)).toBe(reason);
});

test('a later attempt does not hide the suspicion of an earlier one', () => {
  expect(foremostReason([undefined, 'gaveUp', 'spoofSuspected', 'light'])).toBe('spoofSuspected');
  expect(foremostReason([undefined])).toBeUndefined();
});
