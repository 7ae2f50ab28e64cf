/**
 * Injection attacks: images of a head that a script makes from one photo of the victim and sends in place of a camera. Each
 * follows the instructions. Their variants hide what gives a rendered head away.
 */
import type { Movement } from '../../../src/services/liveness/capture/evidence';
import { Actor } from './actor';
import { blinkAt, blinking } from './blink';
import type { Develop } from './disguises';
import { outline } from './head';
import { blank, type Rgb } from './image';
import { PageLight } from './light';
import type { Person } from './people';
import { photoStage, usualShare } from './photo-frame';
import { type Camera, room, shoot, straightOn, vga, withShoulders } from './scene';
import type { Placement, Solid } from './solid';
import { noiseSeed, type Sitting, type Subject } from './subject';

/** Parts of an attack that vary. */
export interface Disguise {
  readonly backdrop?: 'none' | 'room' | 'photo';
  /** Another solid with the photo than the fitted mesh. */
  readonly shape?: (head: Solid) => Solid;
  /** Changes the photo of the victim before it is rendered. */
  readonly prepare?: (photo: Rgb) => Promise<Rgb>;
  /** Changes each frame after it is rendered. */
  readonly develop?: Develop;
  /** Changes the head of each frame. */
  readonly pose?: (head: Solid, ms: number, at: Placement) => Solid;
  /** Distance of the outer corners of the eyes as a share of the width of a photo that fills the frame. Default 0.3. */
  readonly eyesShare?: number;
  /** Tints the face with the colors of the page, after a delay in milliseconds. */
  readonly lightDelayMs?: number;
}

/** A photo on a 3D mesh, which follows the instructions. */
export async function puppet(
  person: Person,
  { camera = vga, habits, base = straightOn, seed = 1 }: Sitting,
  { backdrop = 'room', shape, prepare, develop, pose, eyesShare = usualShare, lightDelayMs }: Disguise = {},
): Promise<Subject> {
  const head = prepare ? { ...person.head, texture: await prepare(person.head.texture) } : person.head;
  const stage =
    backdrop === 'photo'
      ? photoStage({ ...person, head }, camera, eyesShare)
      : { backdrop: await plainStage(backdrop, person, camera, base, seed), base };
  const shaped = shape ? shape(head) : head;
  const actor = new Actor(habits, seed);
  const light = lightDelayMs === undefined ? undefined : new PageLight(lightDelayMs);
  return {
    instruct: (movement, atMs) => actor.instruct(movement, atMs),
    ...(light && { shine: (color, atMs) => light.shine(color, atMs) }),
    async frameAt(ms) {
      const at = actor.placementAt(ms, stage.base);
      const blinked = shape ? shaped : blinking(head, blinkAt(ms, seed));
      const posed = pose ? pose(blinked, ms, at) : blinked;
      const solid = light ? light.lit(posed, ms) : posed;
      const frame = await shoot(camera, stage.backdrop, [{ solid, at }], noiseSeed(seed, ms));
      return develop ? develop(frame, ms) : frame;
    },
  };
}

async function plainStage(
  kind: 'none' | 'room',
  person: Person,
  camera: Camera,
  base: Placement,
  seed: number,
): Promise<Rgb> {
  if (kind === 'room') return withShoulders(await room(camera, seed), person, base);
  const gray = blank(camera.width, camera.height);
  gray.data.fill(120);
  return gray;
}

/** The face of the victim on the head of another person: its edge fades out, and its tone is that of the other skin. */
export async function swappedFace(person: Person, other: Person, sitting: Sitting): Promise<Subject> {
  const { camera = vga, habits, base = straightOn, seed = 1 } = sitting;
  const backdrop = await withShoulders(await room(camera, seed), other, base);
  const edge = new Set(outline);
  const face = {
    ...person.head,
    alpha: person.head.alpha.map((alpha, i) => (i >= 468 || edge.has(i) ? 0 : alpha)),
    gain: person.skin.map(
      (level, i) => (other.skin[i] as number) / Math.max(1, level),
    ) as unknown as NonNullable<Solid['gain']>,
  };
  const actor = new Actor(habits, seed);
  return {
    instruct: (movement, atMs) => actor.instruct(movement, atMs),
    frameAt: (ms) => {
      const at = actor.placementAt(ms, base);
      const things = [other.head, blinking(face, blinkAt(ms, seed))].map((solid) => ({ solid, at }));
      return shoot(camera, backdrop, things, noiseSeed(seed, ms));
    },
  };
}

/** Length of a clip and time between its frames, in milliseconds. */
const clip = { lengthMs: 2600, stepMs: 100 } as const;

/** The clips of a subject, all made before the session. */
export async function preparedClips(record: () => Promise<Subject>): Promise<Subject> {
  const clips = await splicedClips(record);
  for (const movement of ['centre', 'left', 'right', 'up', 'down'] as const) {
    clips.instruct(movement, 0);
    for (let at = 0; at <= clip.lengthMs; at += clip.stepMs) await clips.frameAt(at);
  }
  return clips;
}

/** A clip for each movement, made before the session; the script plays the one that is requested, from its beginning. */
export async function splicedClips(record: () => Promise<Subject>): Promise<Subject> {
  const clips = new Map<Movement, Map<number, Promise<Rgb>>>();
  let playing: { readonly movement: Movement; readonly fromMs: number } = { movement: 'centre', fromMs: 0 };
  const actors = new Map<Movement, Subject>();
  return {
    instruct(movement, atMs) {
      playing = { movement, fromMs: atMs };
    },
    async frameAt(ms) {
      const { movement, fromMs } = playing;
      if (!actors.has(movement)) {
        const actor = await record();
        actor.instruct(movement, 0);
        actors.set(movement, actor);
      }
      const frames = clips.get(movement) ?? new Map<number, Promise<Rgb>>();
      clips.set(movement, frames);
      const at = clip.stepMs * Math.floor(Math.min(ms - fromMs, clip.lengthMs) / clip.stepMs);
      const frame = frames.get(at) ?? (actors.get(movement) as Subject).frameAt(at);
      frames.set(at, frame);
      return frame;
    },
  };
}
