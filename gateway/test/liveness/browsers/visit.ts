/**
 * A visitor in any engine. The page gets a camera that draws the rendered images of the subject on a canvas, because only
 * Chromium reads its camera from a file. Each image that is shown returns what the page shows by then. On a busy machine,
 * images come slowly, so the subject then moves slowly: a camera never shows a jump, and its noise makes every frame differ.
 */
import { setTimeout as wait } from 'node:timers/promises';
import type { Movement } from '../../../src/services/liveness/capture/evidence';
import type { Engine } from '../../browsers/engine';
import { movementOf, offersRetry, passing } from '../browser/visitor';
import { jpegOf } from '../people/image';
import type { Subject } from '../people/subject';

/** Milliseconds between two rendered images, and how far the subject moves in them at most. */
const [intervalMs, longestMs] = [80, 120];

/** Replaces the camera, as long as the page has not asked for one. */
const giveCamera = `() => {
  const canvas = Object.assign(document.createElement('canvas'), { width: 640, height: 480 });
  const context = canvas.getContext('2d');
  const noise = Object.assign(document.createElement('canvas'), { width: 700, height: 540 });
  const grains = noise.getContext('2d').createImageData(noise.width, noise.height);
  for (let i = 0; i < grains.data.length; i += 4) {
    const level = 255 * Math.random();
    grains.data.set([level, level, level, 10], i);
  }
  noise.getContext('2d').putImageData(grains, 0, 0);
  let image = noise;
  setInterval(() => {
    context.drawImage(image, 0, 0);
    context.drawImage(noise, -60 * Math.random(), -60 * Math.random());
  }, 66);
  const shown = () => {
    const { shadowRoot } = document.querySelector('presenza-liveness') ?? {};
    return {
      name: shadowRoot?.querySelector('[data-name]')?.getAttribute('data-name') ?? null,
      heading: shadowRoot?.querySelector('h1')?.textContent ?? '',
    };
  };
  window.visitor = {
    async show(jpeg) {
      const bytes = Uint8Array.from(atob(jpeg), (character) => character.charCodeAt(0));
      image = await createImageBitmap(new Blob([bytes], { type: 'image/jpeg' }));
      return shown();
    },
    consent() {
      const { shadowRoot } = document.querySelector('presenza-liveness');
      shadowRoot.querySelector('input[type=checkbox]').click();
shadowRoot.querySelector('button[type=submit]').click();
    },
    retry: () => document.querySelector('presenza-liveness').shadowRoot.querySelector('[data-name] button.primary').click(),
  };
  const getUserMedia = async () => canvas.captureStream(15);
  // WebKit may forget properties of the object itself.
  Object.defineProperty(MediaDevices.prototype, 'getUserMedia', { value: getUserMedia });
}`;

interface Shown {
  /** Null while the camera is on. */
  readonly name: string | null;
  readonly heading: string;
}

export interface Visit {
  /** Name of the page's final message. */
  readonly message: string;
  /** The instructions of the page in the last attempt. */
  readonly asked: readonly Movement[];
}

export interface Manner {
  /** How often the visitor retries when the page offers it. Default 0. */
  readonly patience?: number;
  /** Source of a function of the page that gives its element a session, and the argument. */
  readonly before?: readonly [source: string, argument: unknown];
}

/** Opens the link, consents, and lets the subject follow the page until there is an outcome. */
export async function visit(
  engine: Engine,
  url: string,
  subject: Subject,
  { patience = 0, before }: Manner = {},
): Promise<Visit> {
  await engine.open(url);
  await engine.run(giveCamera);
  if (before) await engine.run(...before);
  let subjectMs = 0;
  let shownAt = performance.now();
  let triesLeft = patience;
  let asked: Movement[] = [];
  let last = '';
  for (;;) {
    await wait(Math.max(0, intervalMs - (performance.now() - shownAt)));
    subjectMs += Math.min(longestMs, performance.now() - shownAt);
    shownAt = performance.now();
    const jpeg = await jpegOf(await subject.frameAt(subjectMs), 95);
    const { name, heading } = (await engine.run(
      '(jpeg) => visitor.show(jpeg)',
      jpeg.toString('base64'),
    )) as Shown;
    if (last === `${name} ${heading}`) continue;
    last = `${name} ${heading}`;
    const movement = name === null ? movementOf(heading) : undefined;
    if (movement) {
      asked.push(movement);
      subject.instruct(movement, subjectMs);
    }
    if (name === 'consent') await engine.run('() => visitor.consent()');
    if (name === null || passing.includes(name)) continue;
    if (triesLeft === 0 || !offersRetry(name)) return { message: name, asked };
    triesLeft--;
    asked = [];
    await engine.run('() => visitor.retry()');
  }
}
