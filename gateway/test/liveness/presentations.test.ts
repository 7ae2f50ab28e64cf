/**
 * Attacks before the camera of a real browser, on the real page and the real models. Rendered people prove that each
 * rule does what it says; they are no error rates of the world.
 */
import type { Movement } from '../../src/services/liveness/capture/evidence';
import { type Presentation, present } from './browser/present';
import { Visitor } from './browser/visitor';
import { startWorld, type World } from './browser/world';
import {
  bentPhoto,
  contrary,
  covered,
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
/** Two of the people are look-alikes, at the limit of what an embedding tells apart: not these. */
let stranger: Person;

beforeAll(async () => {
  const people = await loadPeople();
  [person, other] = people as [Person, Person];
  stranger = people.at(-1) as Person;
  // One attempt each: what a second one would say, the first has said.
  world = await startWorld({ LIVENESS_ATTEMPTS: '1', LIVENESS_ATTEMPT_SECONDS: '15' });
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

/** Somebody who looks straight on, and somebody else who turns. */
function relieved(before: Subject, after: Subject): Subject {
  let now = before;
  return {
    instruct(movement, atMs) {
      if (movement !== 'centre') now = after;
      now.instruct(movement, atMs);
    },
    frameAt: (ms) => now.frameAt(ms),
  };
}

/**
 * What may refuse each. Those without `judged` may also never get through the guidance, which tells nothing; the verdict
 * tells why, to the operator.
 */
const attacks: readonly (Presentation & {
  readonly refusedBy: readonly string[];
  readonly judged?: true;
})[] = [
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
  {
    name: 'another face midway',
    subject: async () => relieved(await sitter(person), await sitter(stranger)),
    refusedBy: ['otherPerson'],
    judged: true,
  },
  { name: 'two faces', subject: () => twoFaces(person, other), refusedBy: ['severalFaces'] },
  {
    name: 'black frames in between',
    subject: async () => covered(await sitter(person), 3_000, 5_500),
    refusedBy: ['faceAway'],
    judged: true,
  },
];

test.each(attacks)('$name: refused', async ({ subject, refusedBy, judged }) => {
  const seen = await present({ world, visitor }, await subject());
  if (!judged && seen.message === 'paused.timeout') return expect(seen.status).toBe('started');
  expect(seen).toMatchObject({ message: 'ended.failed', status: 'failed' });
  expect(refusedBy.some((name) => seen.reasons.includes(name))).toBe(true);
});
