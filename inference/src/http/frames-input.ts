/** Reads the headers of a set of frames: when each was taken, the challenges, and the light of the page. */
import type { Request } from 'express';
import type { FramesItem } from '../pipeline/liveness/frames';
import { frameCount } from '../pipeline/liveness/frames';
import { colorCount } from '../pipeline/liveness/light';
import { challengeKinds } from '../pipeline/liveness/motion';
import type { Challenge, Light, Rgb, ShownColor } from '../wire/frames';
import { badHeader, type PartCount, wholeNumber } from './request';

/** The frames. If the body has one part more than there are times, the last part is a reference image. */
export const frameParts: PartCount = { min: frameCount.min, max: frameCount.max + 1 };

/** All images of a set: 64 frames of 512 KiB, and a reference of 5 MiB. */
export const maxFramesBytes = 37 * 1024 * 1024;

const maxTimeMs = 600_000;
const maxChallenges = 16;

/**
 * @returns the item for the worker.
 * @param images as many as times, or one more: the reference.
 * @throws BadRequestError
 */
export function parseFrames(images: readonly Uint8Array[], req: Request): FramesItem {
  const times = readTimes(req.get('x-frame-times'));
  const rest = images.length - times.length;
  if (rest !== 0 && rest !== 1) throw badHeader('x-frame-times', 'one time for every frame');
  return {
    frames: times.map((timeMs, i) => ({ image: images[i] as Uint8Array, timeMs })),
    challenges: readChallenges(req.get('x-challenges')),
    light: readLight(req.get('x-light-colors'), req.get('x-frame-lights'), times.length),
    reference: images[times.length],
  };
}

function readTimes(header = ''): number[] {
  const { min, max } = frameCount;
  const times = header.split(',').map((text) => readTime(text.trim()));
  const rising = times.every((time, i) => i === 0 || time >= (times[i - 1] as number));
  if (!rising || times.length < min || times.length > max) {
    throw badHeader(
      'x-frame-times',
      `a list of ${min} to ${max} whole milliseconds up to ${maxTimeMs}, none before the last`,
    );
  }
  return times;
}

/** @returns milliseconds; NaN for invalid text, which fails the check of the order */
function readTime(text: string): number {
  const time = wholeNumber(text);
  return time !== undefined && time <= maxTimeMs ? time : Number.NaN;
}

function readChallenges(header: string | undefined): Challenge[] {
  if (header === undefined) return [];
  const texts = header.split(',');
  const challenges = texts.slice(0, maxChallenges).flatMap((text) => readChallenge(text.trim()) ?? []);
  if (challenges.length !== texts.length) {
    throw badHeader(
      'x-challenges',
      `at most ${maxChallenges} of ${challengeKinds.join(', ')} with a span of milliseconds like left@0-2000`,
    );
  }
  return challenges;
}

function readChallenge(text: string): Challenge | undefined {
  const [, name, from = '', to = ''] = /^([a-z]+)@(\d+)-(\d+)$/.exec(text) ?? [];
  const kind = challengeKinds.find((candidate) => candidate === name);
  const fromMs = readTime(from);
  const toMs = readTime(to);
  return kind && fromMs < toMs ? { kind, fromMs, toMs } : undefined;
}

/** @param frames number of frames, each of which has a color */
function readLight(
  colorsHeader: string | undefined,
  shownHeader: string | undefined,
  frames: number,
): Light | undefined {
  if (colorsHeader === undefined && shownHeader === undefined) return undefined;
  const { min, max } = colorCount;
  const texts = (colorsHeader ?? '').split(',', max + 1);
  const colors = texts.flatMap((text): Rgb[] => {
    const [, ...levels] = /^([\da-f]{2})([\da-f]{2})([\da-f]{2})$/.exec(text.trim()) ?? [];
    return levels.length > 0 ? [levels.map((level) => Number.parseInt(level, 16)) as unknown as Rgb] : [];
  });
  if (colors.length !== texts.length || colors.length < min || colors.length > max) {
    throw badHeader('x-light-colors', `${min} to ${max} colors like 40a0ff`);
  }
  const shown = (shownHeader ?? '').split(',', frames + 1).flatMap((text): ShownColor[] => {
    const [, at = '', since = ''] = /^(\d+)\+(\d+)$/.exec(text.trim()) ?? [];
    const index = wholeNumber(at);
    const sinceMs = readTime(since);
    return index !== undefined && index < colors.length && sinceMs >= 0 ? [{ index, sinceMs }] : [];
  });
  if (shown.length !== frames) {
    throw badHeader(
      'x-frame-lights',
      'a position in x-light-colors and milliseconds like 0+120 for every frame',
    );
  }
  return { colors, shown };
}
