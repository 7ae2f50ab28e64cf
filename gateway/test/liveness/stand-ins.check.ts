/** Rendered stand-ins of many kinds in a real browser, with the real page and the real models: all pass. They are not people. */
import { type Presentation, present } from './browser/present';
import { Visitor } from './browser/visitor';
import { startWorld, type World } from './browser/world';
import { usualHabits } from './people/actor';
import { withGlasses } from './people/glasses';
import { loadPeople, type Person } from './people/people';
import { room, straightOn, vga } from './people/scene';
import { leaving, sitter } from './people/subject';
import { withTone } from './people/tones';

const patience = 5;

let world: World;
let visitor: Visitor;
let people: Person[];

beforeAll(async () => {
  people = await loadPeople();
  visitor = await Visitor.arrive();
  world = await startWorld();
});
afterAll(async () => {
  await visitor?.leave();
  await world?.stop();
});

const standIns: readonly (Presentation & { readonly frameRate?: number })[] = [
  {
    name: 'in dim light',
    subject: () => sitter(people[0] as Person, { camera: { ...vga, light: 0.45, noise: 5 } }),
  },
  {
    name: 'off centre',
    subject: () => sitter(people[1] as Person, { base: { ...straightOn, x: 60, distance: 620 } }),
  },
  { name: 'with glasses', subject: async () => sitter(await withGlasses(people[0] as Person)) },
  {
    name: 'who is slow',
    subject: () =>
      sitter(people[1] as Person, { habits: { ...usualHabits, reactionMs: 1_300, moveMs: 1_800 } }),
  },
  {
    name: 'in front of a bystander',
    subject: () =>
      sitter(people[0] as Person, {
        bystander: { person: people[1] as Person, at: { ...straightOn, x: 700, y: 0, distance: 2_200 } },
      }),
  },
  {
    name: 'in front of a person a few steps behind',
    subject: () =>
      sitter(people[0] as Person, {
        bystander: { person: people[1] as Person, at: { ...straightOn, x: 500, y: 0, distance: 1_500 } },
      }),
  },
  { name: 'with dark skin', subject: () => sitter(withTone(people[0] as Person, 8)) },
  {
    name: 'with dark skin, in dim light',
    subject: () => sitter(withTone(people[0] as Person, 8), { camera: { ...vga, light: 0.45, noise: 5 } }),
  },
  {
    name: 'that leaves for a while',
    subject: async () => leaving(await sitter(people[0] as Person), await room(vga, 1), 2_500),
  },
  { name: 'at 10 frames a second', subject: () => sitter(people[0] as Person), frameRate: 10 },
];

test.each(standIns)('passes a rendered stand-in $name', async ({ subject, frameRate }) => {
  const seen = await present({ world, visitor }, await subject(), { frameRate, patience });
  expect(seen).toMatchObject({ message: 'ended.completed', status: 'completed' });
});
