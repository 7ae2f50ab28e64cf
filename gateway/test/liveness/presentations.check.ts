/**
 * Attacks that show something other than a head which turns as asked, before the camera of a real browser, on the real
 * page and the real models. Rendered people prove that each rule does what it says; they are no error rates of the world.
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
  // One attempt each: what a second one would say, the first has said. Most only ever wait for its end.
  world = await startWorld({ LIVENESS_ATTEMPTS: '1', LIVENESS_ATTEMPT_SECONDS: '8' });
  visitor = await Visitor.arrive();
});
afterAll(async () => {
  await visitor?.leave();
  await world?.stop();
});

/** A recording that never begins as it is asked to: the attacker has one for each side, and no luck. */
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

/** What may refuse each, unless it never gets through the guidance. The verdict tells why, to the operator. */
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

test.each(attacks)('$name: refused', async ({ subject, refusedBy }) => {
  const seen = await present({ world, visitor }, await subject());
  if (seen.message === 'paused.timeout') return expect(seen.status).toBe('started');
  expect(seen).toMatchObject({ message: 'ended.failed', status: 'failed' });
  expect(refusedBy.some((name) => seen.reasons.includes(name))).toBe(true);
});
