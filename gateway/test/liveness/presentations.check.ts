/**
 * Presentation attacks that do not follow the movements, in a real browser with the real page and the real models.
 * Rendered people prove that each rule works; they are not real error rates.
 */
import type { Movement } from '../../src/services/liveness/capture/evidence';
import { type Presentation, present } from './browser/present';
import { Visitor } from './browser/visitor';
import { startWorld, type World } from './browser/world';
import {
  bentPhoto,
  contrary,
  movedPhoto,
  onScreen,
  recording,
  stillPhoto,
  tiltedPhoto,
  twoFaces,
} from './people/attacks';
import { loadPeople, type Person } from './people/people';
import { type Subject, sitter } from './people/subject';

let world: World;
let visitor: Visitor;
let person: Person;
let other: Person;

beforeAll(async () => {
  const people = await loadPeople();
  [person, other] = people as [Person, Person];
  // One attempt each, because a second one adds nothing and most only wait for its end.
  world = await startWorld({ LIVENESS_ATTEMPTS: '1', LIVENESS_ATTEMPT_SECONDS: '8' });
  visitor = await Visitor.arrive();
});
afterAll(async () => {
  await visitor?.leave();
  await world?.stop();
});

/** A recording whose first turn never matches: the attacker has one for each side, and no luck. */
async function unluckyRecording(): Promise<Subject> {
  const [left, right] = await Promise.all([
    recording(person, ['centre', 'left', 'up', 'right']),
    recording(person, ['centre', 'right', 'down', 'left']),
  ]);
  let plays = left;
  return {
    instruct: (movement: Movement) => {
      if (movement === 'left' || movement === 'up') plays = right;
    },
    frameAt: (ms) => plays.frameAt(ms),
  };
}

/** The rules that may refuse each attack that passes the guidance. Operators see the reasons of a verdict. */
const attacks: readonly (Presentation & { readonly refusedBy: readonly string[] })[] = [
  { name: 'a still photograph', subject: () => stillPhoto(person), refusedBy: [] },
  { name: 'a photograph that is moved', subject: () => movedPhoto(person), refusedBy: [] },
  {
    name: 'a photograph that is bent',
    subject: () => bentPhoto(person),
    refusedBy: ['flat', 'squeezed', 'otherPerson'],
  },
  {
    name: 'a photograph that is tilted',
    subject: () => tiltedPhoto(person),
    refusedBy: ['flat', 'squeezed', 'otherPerson'],
  },
  {
    name: 'an earlier session on a screen',
    subject: async () => onScreen(await unluckyRecording()),
    refusedBy: ['unaskedTurn'],
  },
  {
    name: 'an earlier session in place of the camera',
    subject: unluckyRecording,
    refusedBy: ['unaskedTurn'],
  },
  {
    name: 'the wrong movements',
    subject: async () => contrary(await sitter(person)),
    refusedBy: ['unaskedTurn'],
  },
  { name: 'two faces', subject: () => twoFaces(person, other), refusedBy: ['severalFaces'] },
];

test.each(attacks)('refuses $name', async ({ subject, refusedBy }) => {
  const seen = await present({ world, visitor }, await subject());
  if (seen.message === 'paused.timeout') return expect(seen.status).toBe('started');
  expect(seen).toMatchObject({ message: 'ended.failed', status: 'failed' });
  expect(refusedBy.some((name) => seen.reasons.includes(name))).toBe(true);
});
