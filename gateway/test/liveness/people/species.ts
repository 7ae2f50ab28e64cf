/**
 * Presentations for measuring a verdict, by species. Everything is rendered. Stand-ins move as genuine users should and show
 * how easily a rendered one passes; they are not people, and nothing here is a bona fide presentation (ISO/IEC 30107-3).
 * Presentation attacks are held in front of a camera, injection attacks (CEN/TS 18099) replace its images.
 */
import limits from '@presenza/contract/limits.json';
import type { Movement } from '../../../src/services/liveness/capture/evidence';
import { lightColors } from '../../../src/services/liveness/capture/light';
import { drawMovements, turnsAfter } from '../../../src/services/liveness/capture/steps';
import { habitsOf } from './actor';
import {
  bentPhoto,
  contrary,
  covered,
  movedPhoto,
  onScreen,
  recording,
  relieved,
  stillPhoto,
  stuttering,
  swapped,
  tiltedPhoto,
  twoFaces,
} from './attacks';
import { warpedPhoto } from './bent-image';
import { compressed, type Develop, relit, sensorNoise, shaken, smallPhoto, softened } from './disguises';
import { withGlasses } from './glasses';
import { type Disguise, puppet, splicedClips, swappedFace } from './injections';
import { movedDevice } from './moved-device';
import { ovalHead } from './oval';
import type { Person, View } from './people';
import { randomFrom } from './random';
import { room, straightOn, vga } from './scene';
import { leaving, type Sitting, type Subject, sitter } from './subject';
import { withTone } from './tones';

export interface Presentation {
  readonly subject: Subject;
  /** The instructions, `centre` first. */
  readonly movements: readonly Movement[];
  /** Milliseconds between two frames. */
  readonly intervalMs: number;
  /** Colors of the light challenge, as `#rrggbb`. */
  readonly colors: readonly string[];
}

/** `steered`: an injection attack that follows the instructions. */
export type Kind = 'standIn' | 'presentation' | 'injection' | 'steered';

export interface Species {
  readonly name: string;
  readonly kind: Kind;
  /** Photos that the people come from. */
  readonly view: View;
  /** Each seed gives other people, light, positions and movements. */
  present(people: readonly Person[], seed: number): Promise<Presentation>;
}

interface Set<Actor = Person> {
  readonly person: Actor;
  readonly other: Actor;
  readonly sitting: Required<Pick<Sitting, 'camera' | 'habits' | 'base' | 'seed'>>;
  readonly movements: readonly Movement[];
  readonly colors: readonly string[];
}

/** The random parts of a presentation. */
export function setOf<Actor>(people: readonly Actor[], seed: number): Set<Actor> {
  const random = randomFrom(seed);
  const person = people[seed % people.length] as Actor;
  const others = people.filter((candidate) => candidate !== person);
  return {
    person,
    other: random.pick(others),
    movements: drawMovements(turnsAfter(0, 'standard'), 'standard', (below) =>
      Math.floor(random.next() * below),
    ),
    colors: colorsFrom(seed),
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

/** Random colors, of which none follows itself. */
export function colorsFrom(seed: number): string[] {
  const random = randomFrom(seed + 4000);
  const colors: string[] = [];
  while (colors.length < limits.liveness.light.colors) {
    colors.push(random.pick(lightColors.filter((color) => color !== colors.at(-1))));
  }
  return colors;
}

type Stage = (set: Set) => Promise<Subject>;

interface Traits extends Pick<Species, 'kind'> {
  readonly view?: View;
  readonly intervalMs?: number;
}

const species = (name: string, { kind, view = 'side', intervalMs = 200 }: Traits, stage: Stage): Species => ({
  name,
  kind,
  view,
  async present(people, seed) {
    const set = setOf(people, seed);
    const { movements, colors } = set;
    return { subject: await stage(set), movements, colors, intervalMs };
  },
});

const standIn = (name: string, change: (set: Set) => Partial<Sitting>, intervalMs = 200) =>
  species(name, { kind: 'standIn', intervalMs }, (set) =>
    sitter(set.person, { ...set.sitting, ...change(set) }),
  );
const camera = (change: object) => (set: Set) => ({ camera: { ...set.sitting.camera, ...change } });

export const standInSpecies: readonly Species[] = [
  standIn('usual', () => ({})),
  standIn('dim', camera({ light: 0.55, noise: 5 })),
  species('dark skin', { kind: 'standIn' }, ({ person, sitting }) => sitter(withTone(person, 8), sitting)),
  species('dark skin, dim', { kind: 'standIn' }, ({ person, sitting }) =>
    sitter(withTone(person, 8), { ...sitting, camera: { ...sitting.camera, light: 0.55, noise: 5 } }),
  ),
  standIn('off centre', ({ sitting: { base } }) => ({
    base: { ...base, x: base.x > 0 ? 70 : -70, distance: 620 },
  })),
  species('glasses', { kind: 'standIn' }, async ({ person, sitting }) =>
    sitter(await withGlasses(person), sitting),
  ),
  standIn('slow', ({ sitting: { habits } }) => ({ habits: { ...habits, reactionMs: 1500, moveMs: 2400 } })),
  species('moved device', { kind: 'standIn' }, ({ person, sitting }) => movedDevice(person, sitting)),
  species('away for a while', { kind: 'standIn' }, async ({ person, sitting }) =>
    leaving(await sitter(person, sitting), await room(sitting.camera, sitting.seed), 2600),
  ),
  standIn('10 frames a second', () => ({}), 100),
  standIn('3 frames a second', () => ({}), 330),
  standIn('1280 x 720', camera({ width: 1280, height: 720 })),
  standIn('upright 480 x 640', ({ sitting: { camera: lens, base } }) => ({
    camera: { ...lens, width: 480, height: 640 },
    base: { ...base, x: 0, distance: 0.75 * base.distance },
  })),
];

const attackEveryMs = 250;
const shown = (name: string, stage: Stage) =>
  species(name, { kind: 'presentation', intervalMs: attackEveryMs }, stage);
const injected = (name: string, stage: Stage) =>
  species(name, { kind: 'injection', intervalMs: attackEveryMs }, stage);

/** A recording in a browser's camera or on a screen, with other movements than the requested ones. */
const otherOrder = ({ movements, sitting: { seed } }: Set): readonly Movement[] => {
  const random = randomFrom(seed + 500);
  for (;;) {
    const order = drawMovements(turnsAfter(0, 'standard'), 'standard', (below) =>
      Math.floor(random.next() * below),
    );
    if (order.some((movement, i) => movement !== movements[i])) return order;
  }
};
const closeUp = { width: 960, height: 720, noise: 1 };

export const presentationSpecies: readonly Species[] = [
  shown('still print', ({ person, sitting }) => stillPhoto(person, sitting)),
  shown('moved print', ({ person, sitting }) => movedPhoto(person, sitting)),
  shown('tilted print', ({ person, sitting }) => tiltedPhoto(person, sitting)),
  shown('bent print', ({ person, sitting }) => bentPhoto(person, sitting)),
  shown('replay on a screen', async (set) => {
    const seen = await recording(set.person, otherOrder(set), {
      ...set.sitting,
      camera: closeUp,
      base: straightOn,
    });
    return onScreen(seen, set.sitting);
  }),
];

/** They break the rules that a script must keep. */
export const injectionSpecies: readonly Species[] = [
  injected('replay of other turns', (set) => recording(set.person, otherOrder(set), set.sitting)),
  injected('wrong movements', async ({ person, sitting }) => contrary(await sitter(person, sitting))),
  injected('swapped midway', async ({ person, other, sitting }) => {
    const [before, after] = await Promise.all([sitter(person, sitting), sitter(other, sitting)]);
    return swapped(before, after, randomFrom(sitting.seed).between(1800, 4500));
  }),
  injected('two faces', ({ person, other, sitting }) => twoFaces(person, other, sitting)),
  injected('black frames', async ({ person, sitting }) => {
    const from = randomFrom(sitting.seed).between(1500, 3000);
    return covered(await sitter(person, sitting), from, from + 4000);
  }),
  injected('swapped behind an empty room', async ({ person, other, sitting }) => {
    const [before, after] = await Promise.all([sitter(person, sitting), sitter(other, sitting)]);
    return leaving(relieved(before, after), await room(sitting.camera, sitting.seed), 2600);
  }),
  injected('stuttering', async ({ person, sitting }) => stuttering(await sitter(person, sitting), 900)),
];

/** A photo that fills an upright frame. */
const upright = { ...vga, width: 480, height: 640, noise: 1 };
const filling = ({ sitting }: Set): Sitting => ({ ...sitting, camera: upright });

const steered = (name: string, stage: Stage, more: Partial<Traits> = {}) =>
  species(name, { kind: 'steered', view: 'front', intervalMs: attackEveryMs, ...more }, stage);
const inRoom = (name: string, disguise: Disguise = {}, more?: Partial<Traits>) =>
  steered(name, ({ person, sitting }) => puppet(person, sitting, disguise), more);
const onPhoto = (name: string, disguise: (seed: number) => Disguise) =>
  steered(name, (set) =>
    puppet(set.person, filling(set), { backdrop: 'photo', ...disguise(set.sitting.seed) }),
  );
const bent = (name: string, develop?: (seed: number) => Develop) =>
  steered(name, (set) =>
    warpedPhoto(set.person, filling(set), develop && { develop: develop(set.sitting.seed) }),
  );

/** Times from a color of the page to its tint in a frame, in milliseconds, of scripts that read the page. */
const [promptMs, lateMs] = [0, 400];

/** One photo of the victim that follows the instructions, and what attackers may do to hide it. */
export const steeredSpecies: readonly Species[] = [
  inRoom('mesh in a room'),
  inRoom('mesh on gray', { backdrop: 'none' }),
  onPhoto('mesh on its photo', () => ({})),
  onPhoto('mesh, small photo', () => ({ prepare: smallPhoto(64) })),
  onPhoto('mesh, blurred', () => ({ develop: softened(1.5) })),
  onPhoto('mesh, hand-held', (seed) => ({ develop: shaken(seed) })),
  inRoom('mesh, shaded by turn', { pose: relit(0.4) }),
  inRoom('mesh, 10 frames a second', {}, { intervalMs: 100 }),
  inRoom('mesh, 30 frames a second', {}, { intervalMs: 33 }),
  steered('mesh, snapped turns', ({ person, sitting }) =>
    puppet(person, { ...sitting, habits: { ...sitting.habits, moveMs: 100, yaw: 55 } }),
  ),
  inRoom('oval in a room', { shape: ovalHead }),
  bent('bent image'),
  bent('bent image, sensor noise', sensorNoise),
  bent('bent image, compressed', () => compressed(60)),
  bent('bent image, compressed twice', () => compressed(50, 70)),
  steered('face on another head', ({ person, other, sitting }) => swappedFace(person, other, sitting)),
  steered('spliced clips', ({ person, sitting }) => splicedClips(() => puppet(person, sitting))),
  inRoom('mesh, tinted', { lightDelayMs: promptMs }),
  inRoom('mesh, tinted late', { lightDelayMs: lateMs }),
  inRoom('photo from the side', {}, { view: 'side' }),
  inRoom('photo from the side, tinted', { lightDelayMs: promptMs }, { view: 'side' }),
];

/** Not among the attacks: its turns are those that the server requests, which happens by chance alone. */
export const luckyReplay: Species = injected(
  'replay in the order asked',
  async ({ person, movements, sitting }) => recording(person, movements, sitting),
);
