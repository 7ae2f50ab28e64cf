/** A visitor who reads the page in a real Chromium, and relays its instructions to the subject at the camera. */
import type { Browser, Page } from 'playwright-core';
import texts from '../../../../web/content/verify/en.json';
import { launchChromium } from '../../../../web/test/chromium';
import type { Movement } from '../../../src/services/liveness/capture/evidence';
import { LiveCamera } from '../people/live-camera';
import type { Subject } from '../people/subject';
import { playOnCanvas, replaceCamera } from './canvas-camera';

export interface Visit {
  /** Name of the page's final message. */
  readonly message: string;
  /** Milliseconds from the camera's first image to the last step, as the page showed it. */
  readonly captureMs: number;
  /** Milliseconds from the last step to the outcome. */
  readonly verdictMs: number;
  /** The instructions of the page in order. */
  readonly asked: readonly Movement[];
}

export interface Manner {
  /** Rendered images per second. Default 12. */
  readonly frameRate?: number | undefined;
  /** How often the visitor retries when the page offers it. Default 0. */
  readonly patience?: number;
  /** Whether a script on the page replaces the camera, as an attacker's would. Default: the browser's camera. */
  readonly replacesCamera?: boolean;
  /** Gives the element on the page its session, where the address of the page does not. */
  readonly before?: (page: Page) => Promise<void>;
}

export class Visitor {
  private constructor(
    private readonly browser: Browser,
    private readonly camera: LiveCamera,
  ) {}

  static async arrive(size: { width?: number; height?: number; frameRate?: number } = {}): Promise<Visitor> {
    const camera = await LiveCamera.open(size);
    const browser = await launchChromium(camera.chromiumArguments);
    return new Visitor(browser, camera);
  }

  /** Opens the link, consents, and lets the subject follow the page until there is an outcome. */
  async verify(
    url: string,
    subject: Subject,
    { frameRate = 12, patience = 0, replacesCamera = false, before }: Manner = {},
  ): Promise<Visit> {
    const context = await this.browser.newContext({ permissions: ['camera'] });
    try {
      const page = await context.newPage();
      const watch = await watchPage(page, patience);
      if (replacesCamera) await replaceCamera(page);
      await page.goto(url);
      const performance = replacesCamera
        ? playOnCanvas(page, subject, frameRate)
        : this.camera.film(subject, frameRate);
      try {
        await before?.(page);
        await page.getByRole('checkbox').check();
        watch.onMovement((movement) => performance.instruct(movement));
        await page.getByRole('button', { name: 'camera' }).click();
        return await watch.outcome;
      } finally {
        await performance.stop();
      }
    } finally {
      await context.close();
    }
  }

  async leave(): Promise<void> {
    await this.browser.close();
    await this.camera.close();
  }
}

interface Shown {
  /** Null while the camera is on. */
  readonly name: string | null;
  readonly heading: string;
  readonly at: number;
}

/** Runs in the page and reports each change of its text. */
const observer = `
  const watch = ({ shadowRoot }) => {
    let last = '';
    const look = () => {
      const heading = shadowRoot.querySelector('h1')?.textContent ?? '';
      const name = shadowRoot.querySelector('[data-name]')?.getAttribute('data-name') ?? null;
      if (heading + name === last) return;
      last = heading + name;
      pageShows({ name, heading, at: performance.now() });
    };
    new MutationObserver(look).observe(shadowRoot, { subtree: true, childList: true, characterData: true });
  };
  const element = 'presenza-liveness';
  customElements.whenDefined(element).then(() => watch(document.querySelector(element)));
`;

/** The movement that a heading of the page asks for. */
export const movementOf = (heading: string): Movement | undefined =>
  texts.movements.find(({ text }) => text === heading)?.name as Movement | undefined;

/** Screens before an outcome. */
export const passing = ['opening', 'consent', 'askingCamera', 'judging'];

/** The attempt has ended, and the page offers a retry. */
export const offersRetry = (name: string) => /^(?:retry|paused)\./.test(name);

async function watchPage(page: Page, patience: number) {
  let triesLeft = patience;
  const asked: Movement[] = [];
  let [first, last] = [Number.NaN, Number.NaN];
  let listener = (_movement: Movement) => {};
  let resolve = (_visit: Visit) => {};
  let reject = (_error: unknown) => {};
  const outcome = new Promise<Visit>((done, fail) => {
    resolve = done;
    reject = fail;
  });
  const startAgain = () => {
    triesLeft--;
    asked.length = 0;
    page.locator('[data-name] button').first().click().catch(reject);
  };
  await page.exposeFunction('pageShows', ({ name, heading, at }: Shown) => {
    const movement = name === null ? movementOf(heading) : undefined;
    if (movement) {
      if (asked.length === 0) first = at;
      asked.push(movement);
      listener(movement);
    }
    if (name === 'judging') last = at;
    if (name === null || passing.includes(name)) return;
    if (triesLeft > 0 && offersRetry(name)) startAgain();
    else {
      resolve({ message: name, asked, captureMs: last - first, verdictMs: at - last });
    }
  });
  await page.addInitScript(observer);
  return {
    outcome,
    onMovement(listen: (movement: Movement) => void) {
      listener = listen;
    },
  };
}
