/** Presentations for measuring a verdict, by species: genuine users in various light, and each kind of attack. */
import type { Movement } from '../../../src/services/liveness/capture/evidence';
import { drawMovements, turnsAfter } from '../../../src/services/liveness/capture/steps';
import { habitsOf } from './actor';
import {
  bentPhoto,
  contrary,
  covered,
  movedPhoto,
  onScreen,
  recording,
  stillPhoto,
  stuttering,
  swapped,
  tiltedPhoto,
  twoFaces,
} from './attacks';
import { withGlasses } from './glasses';
import type { Person } from './people';
import { randomFrom } from './random';
import { straightOn, vga } from './scene';
import { type Sitting, type Subject, sitter } from './subject';

export interface Presentation {
  readonly subject: Subject;
  /** The instructions, `centre` first. */
  readonly movements: readonly Movement[];
  /** Between two frames, in milliseconds. */
  readonly intervalMs: number;
}

export interface Species {
  readonly name: string;
  readonly genuine: boolean;
  /** Each seed gives other people, light, positions and movements. */
  present(people: readonly Person[], seed: number): Promise<Presentation>;
}

interface Set {
  readonly person: Person;
  readonly other: Person;
  readonly sitting: Required<Pick<Sitting, 'camera' | 'habits' | 'base' | 'seed'>>;
  readonly movements: readonly Movement[];
}

/** The random parts of a presentation. */
function setOf(people: readonly Person[], seed: number): Set {
  const random = randomFrom(seed);
  const person = people[seed % people.length] as Person;
  const others = people.filter((one) => one !== person);
  return {
    person,
    other: random.pick(others),
    movements: drawMovements(turnsAfter(0), (below) => Math.floor(random.next() * below)),
    sitting: {
      seed,
      habits: habitsOf(seed),
      camera: {
        ...vga,
        light: random.between(0.75, 1.15),
        slant: random.between(-0.4, 0.4),
        noise: random.between(1, 3),
        blur: random.next() < 0.5 ? 0 : random.between(0.4, 0.9),
      },
      base: {
        ...straightOn,
        x: random.between(-25, 25),
        y: straightOn.y + random.between(-15, 15),
        distance: random.between(480, 640),
        pitch: random.between(-4, 4),
        roll: random.between(-4, 4),
      },
    },
  };
}

type Stage = (set: Set) => Promise<Subject>;

const species = (name: string, genuine: boolean, stage: Stage, intervalMs = 200): Species => ({
  name,
  genuine,
  async present(people, seed) {
    const set = setOf(people, seed);
    return { subject: await stage(set), movements: set.movements, intervalMs };
  },
});

const genuine = (name: string, change: (set: Set) => Partial<Sitting>, intervalMs?: number) =>
  species(name, true, (set) => sitter(set.person, { ...set.sitting, ...change(set) }), intervalMs);
const camera = (change: object) => (set: Set) => ({ camera: { ...set.sitting.camera, ...change } });

export const genuineSpecies: readonly Species[] = [
  genuine('usual', () => ({})),
  genuine('dim', camera({ light: 0.55, noise: 5 })),
  genuine('off centre', ({ sitting: { base } }) => ({
    base: { ...base, x: base.x > 0 ? 70 : -70, distance: 620 },
  })),
  species('glasses', true, async ({ person, sitting }) => sitter(await withGlasses(person), sitting)),
  genuine('slow', ({ sitting: { habits } }) => ({ habits: { ...habits, reactionMs: 1500, moveMs: 2400 } })),
  genuine('10 frames a second', () => ({}), 100),
  genuine('3 frames a second', () => ({}), 330),
  genuine('1280 x 720', camera({ width: 1280, height: 720 })),
  genuine('upright 480 x 640', ({ sitting: { camera: one, base } }) => ({
    camera: { ...one, width: 480, height: 640 },
    base: { ...base, x: 0, distance: 0.75 * base.distance },
  })),
];

const attack = (name: string, stage: Stage) => species(name, false, stage, 250);

/** A recording in a browser's camera or on a screen, with other movements than the requested ones. */
const otherOrder = ({ movements, sitting: { seed } }: Set): readonly Movement[] => {
  const random = randomFrom(seed + 500);
  for (;;) {
    const order = drawMovements(turnsAfter(0), (below) => Math.floor(random.next() * below));
    if (order.some((movement, i) => movement !== movements[i])) return order;
  }
};
const closeUp = { width: 960, height: 720, noise: 1 };

export const attackSpecies: readonly Species[] = [
  attack('still print', ({ person, sitting }) => stillPhoto(person, sitting)),
  attack('moved print', ({ person, sitting }) => movedPhoto(person, sitting)),
  attack('tilted print', ({ person, sitting }) => tiltedPhoto(person, sitting)),
  attack('bent print', ({ person, sitting }) => bentPhoto(person, sitting)),
  attack('replay on a screen', async (set) => {
    const shown = await recording(set.person, otherOrder(set), {
      ...set.sitting,
      camera: closeUp,
      base: straightOn,
    });
    return onScreen(shown, set.sitting);
  }),
  attack('replay into the browser', (set) => recording(set.person, otherOrder(set), set.sitting)),
  attack('wrong movements', async ({ person, sitting }) => contrary(await sitter(person, sitting))),
  attack('swapped midway', async ({ person, other, sitting }) => {
    const [before, after] = await Promise.all([sitter(person, sitting), sitter(other, sitting)]);
    return swapped(before, after, randomFrom(sitting.seed).between(1800, 4500));
  }),
  attack('two faces', ({ person, other, sitting }) => twoFaces(person, other, sitting)),
  attack('black frames', async ({ person, sitting }) => {
    const from = randomFrom(sitting.seed).between(1500, 3000);
    return covered(await sitter(person, sitting), from, from + 2500);
  }),
  attack('stuttering', async ({ person, sitting }) => stuttering(await sitter(person, sitting), 900)),
];

/** Not among the attacks: it passes only if the server requests the recorded order, once in 34 attempts. */
export const luckyReplay: Species = attack(
  'replay in the order asked',
  async ({ person, movements, sitting }) => recording(person, movements, sitting),
);
