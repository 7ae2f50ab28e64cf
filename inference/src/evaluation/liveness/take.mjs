/**
 * One recording in progress. The gateway's own guidance decides when a movement is done, as in a real check. Frames, their
 * times and prompts go to a folder, and the line of the manifest follows only when the person keeps the recording.
 */
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { COLUMNS, MANIFEST } from './manifest.mjs';
import { beginning, drawMovements, isDone, limits, nextState, turnsAfter } from './product.mjs';

/**
 * @typedef {object} TakeOptions
 * @property {string} folder of all recordings
 * @property {string} id
 * @property {Omit<import('./types').Recording, 'path'> & { subject: string }} labels
 * @property {object} about the consent and the camera
 * @property {(jpeg: Buffer) => Promise<readonly import('./replay.mjs').GuidedFace[] | undefined>} findFaces
 * @property {() => number} [now] milliseconds
 */

export class Take {
  movements = drawMovements(turnsAfter(0, 'standard'), 'standard');
  /** @type {import('./product.mjs').CaptureState} */
  #state = { progress: beginning, guidance: 'ok', kept: [], unseen: 0 };
  #frames = 0;
  #isDiscarded = false;
  #beganAt;
  #options;
  #now;

  /** @param {TakeOptions} options */
  constructor({ now = () => performance.now(), ...options }) {
    this.#options = options;
    this.#now = now;
    this.#beganAt = now();
    this.path = `${options.labels.subject}/${options.id}`;
    mkdirSync(this.#file(), { recursive: true, mode: 0o700 });
    const about = { ...options.about, movements: this.movements };
    this.#write('recording.json', `${JSON.stringify(about)}\n`);
    this.#write('times.csv', 'file,timeMs,prompt\n');
  }

  /** @param {string[]} names */
  #file(...names) {
    return join(this.#options.folder, this.path, ...names);
  }

  /** @param {string} name @param {string | Buffer} content */
  #write(name, content) {
    writeFileSync(this.#file(name), content, { mode: 0o600 });
  }

  /** Whether the attempt has lasted as long as the gateway allows, or has all frames that it may have. */
  get isOver() {
    const { maxFramesAccepted, timeoutSeconds } = limits.attempt;
    return this.#frames >= maxFramesAccepted || this.#now() - this.#beganAt > 1000 * timeoutSeconds;
  }

  /** Saves a frame. Frames must come one at a time. @param {Buffer} jpeg */
  async add(jpeg) {
    const timeMs = Math.round(this.#now() - this.#beganAt);
    const movement = this.#movement;
    const faces = await this.#options.findFaces(jpeg);
    if (faces && !this.#isDiscarded) {
      const name = `${String(this.#frames + 1).padStart(4, '0')}.jpg`;
      this.#write(name, jpeg);
      appendFileSync(this.#file('times.csv'), `${name},${timeMs},${movement}\n`);
      const now = { movements: this.movements, state: this.#state };
      this.#state = nextState(now, this.#frames, faces).state;
      this.#frames += 1;
    }
    return this.view();
  }

  get #movement() {
    return this.movements[Math.min(this.#state.progress.step, this.movements.length - 1)];
  }

  /** The page shows this after each frame. */
  view() {
    const { progress, guidance } = this.#state;
    const done = isDone(progress, this.movements);
    return {
      movement: this.#movement,
      step: Math.min(progress.step, this.movements.length - 1),
      steps: this.movements.length,
      progress: done ? 1 : progress.share,
      guidance,
      done,
      over: done || this.isOver,
    };
  }

  /** Adds the recording to the manifest. */
  keep() {
    const file = join(this.#options.folder, MANIFEST);
    const row = { path: this.path, ...this.#options.labels };
    const line = COLUMNS.map((name) => row[name] ?? '').join();
    if (!existsSync(file)) writeFileSync(file, `${COLUMNS.join()}\n`, { mode: 0o600 });
    const ending = readFileSync(file, 'utf8').endsWith('\n') ? '' : '\n';
    appendFileSync(file, `${ending}${line}\n`);
  }

  /** Deletes what was recorded. */
  discard() {
    this.#isDiscarded = true;
    rmSync(this.#file(), { recursive: true, force: true });
  }
}
