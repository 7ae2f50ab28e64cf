/** Somebody before a real Chromium who reads what the page asks for, and a subject before its camera that hears it. */
import { type Browser, chromium, type Page } from 'playwright-core';
import words from '../../../../web/content/verify.json';
import { findChromium } from '../../../../web/test/chromium';
import type { Movement } from '../../../src/services/liveness/capture/evidence';
import { LiveCamera } from '../people/live-camera';
import type { Subject } from '../people/subject';

export interface Visit {
  /** Name of the message that the page came to. */
  readonly message: string;
  /** From the camera's first picture to the last step, as the page showed it, in milliseconds. */
  readonly captureMs: number;
  /** From the last step to the outcome. */
  readonly verdictMs: number;
  /** What was asked for, in its order. */
  readonly asked: readonly Movement[];
}

export class Visitor {
  private constructor(
    private readonly browser: Browser,
    private readonly camera: LiveCamera,
  ) {}

  static async arrive(size: { width?: number; height?: number; frameRate?: number } = {}): Promise<Visitor> {
    const camera = await LiveCamera.open(size);
    const browser = await chromium.launch({
      executablePath: findChromium(),
      args: ['--no-sandbox', ...camera.chromiumArguments],
    });
    return new Visitor(browser, camera);
  }

  /**
   * Opens the link, agrees, and lets the subject do as the page asks until there is an outcome.
   * @param frameRate pictures a second that are drawn of the subject
   */
  async verify(url: string, subject: Subject, frameRate = 12): Promise<Visit> {
    const context = await this.browser.newContext({ permissions: ['camera'] });
    const page = await context.newPage();
    const watch = await watchPage(page);
    const performance = this.camera.film(subject, frameRate);
    try {
      await page.goto(url);
      await page.getByRole('checkbox').check();
      watch.onMovement((movement) => performance.instruct(movement));
      await page.getByRole('button', { name: 'camera' }).click();
      return await watch.outcome;
    } finally {
      await performance.stop();
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

/** Runs in the page: tells each change of what can be read there. */
const observer = `
  let last = '';
  const look = () => {
    const heading = document.querySelector('h1')?.textContent ?? '';
    const name = document.querySelector('[data-name]')?.getAttribute('data-name') ?? null;
    if (heading + name === last) return;
    last = heading + name;
    pageShows({ name, heading, at: performance.now() });
  };
  new MutationObserver(look).observe(document, { subtree: true, childList: true, characterData: true });
`;

const movementOf = (heading: string): Movement | undefined =>
  words.movements.find(({ text }) => text === heading)?.name as Movement | undefined;

/** Screens on the way to an outcome. */
const passing = ['opening', 'consent', 'askingCamera', 'judging'];

async function watchPage(page: Page) {
  const asked: Movement[] = [];
  let [first, last] = [Number.NaN, Number.NaN];
  let tell = (_movement: Movement) => {};
  let resolve = (_visit: Visit) => {};
  const outcome = new Promise<Visit>((done) => {
    resolve = done;
  });
  await page.exposeFunction('pageShows', ({ name, heading, at }: Shown) => {
    const movement = name === null ? movementOf(heading) : undefined;
    if (movement) {
      if (asked.length === 0) first = at;
      asked.push(movement);
      tell(movement);
    }
    if (name === 'judging') last = at;
    if (name !== null && !passing.includes(name)) {
      resolve({ message: name, asked, captureMs: last - first, verdictMs: at - last });
    }
  });
  await page.addInitScript(observer);
  return {
    outcome,
    onMovement(hear: (movement: Movement) => void) {
      tell = hear;
    },
  };
}
