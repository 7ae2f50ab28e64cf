/** Guidance of the hosted page before a turn, in a real browser with the real models: faces too close, and tilted heads. */
import type { Page } from 'playwright-core';
import texts from '../../../web/content/verify/en.json';
import { present } from './browser/present';
import { Visitor } from './browser/visitor';
import { startWorld, type World } from './browser/world';
import { closeUps, still } from './people/close-up';
import { loadPeople, type Person } from './people/people';
import { straightOn } from './people/scene';
import { type Subject, sitter } from './people/subject';

let world: World;
let visitor: Visitor;
let people: Person[];

beforeAll(async () => {
  people = await loadPeople();
  visitor = await Visitor.arrive();
  // One attempt each: those that make no progress only wait for its end.
  world = await startWorld({ LIVENESS_ATTEMPTS: '1', LIVENESS_ATTEMPT_SECONDS: '8' });
});
afterAll(async () => {
  await visitor?.leave();
  await world?.stop();
});

const textOf = (name: string) => texts.guidance.find((entry) => entry.name === name)?.text as string;

/** Lets a subject look into the camera until the attempt times out. */
async function watch(subject: Subject) {
  const sent: Promise<string>[] = [];
  const shown = new Set<string>();
  const before = async (page: Page) => {
    await page.exposeFunction('guidanceShown', (text: string) => shown.add(text));
    await page.evaluate(observer);
    page.on('response', (response) => {
      if (!response.url().endsWith('/frames') || !response.ok()) return;
      sent.push(response.json().then(({ data }) => data.guidance));
    });
  };
  const { message } = await present({ world, visitor }, subject, { before });
  return { message, guidance: await Promise.all(sent), shown };
}

/** Runs in the page: reports each text of the guidance. */
const observer = `
  const { shadowRoot } = document.querySelector('presenza-liveness');
  const look = () => {
    const hint = shadowRoot.querySelector('.guidance');
    if (hint) guidanceShown(hint.textContent);
  };
  new MutationObserver(look).observe(shadowRoot, { subtree: true, childList: true, characterData: true });
`;

const count = (guidance: readonly string[], name: string) => guidance.filter((text) => text === name).length;

test.each([-0.15, -0.05, 0, 0.05])(
  'asks a user to move back whose face fills the image with a margin of %f',
  async (margin) => {
    const images = (await closeUps(margin)).slice(0, 3);
    expect(images).toHaveLength(3);
    for (const image of images) {
      const { message, guidance, shown } = await watch(still(image));
      expect(message).toBe('paused.timeout');
      expect(guidance.length).toBeGreaterThan(0);
      expect(new Set(guidance)).toEqual(new Set(['tooClose']));
      expect(shown).toContain(textOf('tooClose'));
    }
  },
);

test.each([-90, 90, 180])(
  'asks a user whose head is tilted by %i degrees to hold it upright',
  async (roll) => {
    const base = { ...straightOn, roll };
    const { message, guidance, shown } = await watch(await sitter(people[0] as Person, { base }));
    expect(message).toBe('paused.timeout');
    expect(count(guidance, 'turned')).toBeGreaterThan(0);
    expect(count(guidance, 'ok')).toBe(0);
    expect(shown).toContain(textOf('turned'));
  },
);
