/**
 * Attacks that follow every movement, so that the guidance accepts them and only the verdict can refuse them, in a real
 * browser with the real page and the real models.
 */
import { type Presentation, present } from './browser/present';
import { Visitor } from './browser/visitor';
import { startWorld, type World } from './browser/world';
import { hidden, relieved } from './people/attacks';
import { loadPeople, type Person } from './people/people';
import { room, vga } from './people/scene';
import { leaving, sitter } from './people/subject';

let world: World;
let visitor: Visitor;
let person: Person;
/** Leaves out two look-alikes at the limit of the embedding. */
let stranger: Person;

beforeAll(async () => {
  const people = await loadPeople();
  [person, stranger] = [people[0] as Person, people.at(-1) as Person];
  visitor = await Visitor.arrive();
  world = await startWorld({ LIVENESS_ATTEMPTS: '1' });
});
afterAll(async () => {
  await visitor?.leave();
  await world?.stop();
});

const attacks: readonly (Presentation & { readonly refusedBy: string })[] = [
  {
    name: 'another face midway',
    subject: async () => relieved(await sitter(person), await sitter(stranger)),
    refusedBy: 'otherPerson',
  },
  {
    name: 'another face after an empty room',
    subject: async () =>
      leaving(relieved(await sitter(person), await sitter(stranger)), await room(vga, 1), 2_500),
    refusedBy: 'otherPerson',
  },
  {
    name: 'black frames in between',
    subject: async () => hidden(await sitter(person), 4_000),
    refusedBy: 'faceAway',
  },
];

test.each(attacks)('refuses $name', async ({ subject, refusedBy }) => {
  const seen = await present({ world, visitor }, await subject());
  expect(seen).toMatchObject({ message: 'ended.failed', status: 'failed' });
  expect(seen.reasons).toContain(refusedBy);
});
