/**
 * The layout of the home page in Chromium.
 *
 * Slow: it opens the home page on several screens.
 */
import { contrast } from '../component/src/branding';
import home from '../content/home.json';
import { THEMES } from '../src/features/theme/themes';
import { newVisit, setUpSite, site } from './stage';
import { DESKTOP, type Visit, violations } from './visit';

setUpSite();
let visit: Visit;

const openHome = async (options: Parameters<typeof newVisit>[0] = {}) => {
  visit = await newVisit({ javaScriptEnabled: false, ...options });
  await visit.page.goto(site.url);
};

const boxOf = async (selector: string) => {
  const box = await visit.page.locator(selector).boundingBox();
  if (!box) throw new Error(`The home page shows no ${selector}.`);
  return box;
};

test.each([320, 390, 768, 1024, 1280])(
  'each phrase of the heading is a line at a width of %i',
  async (width) => {
    await openHome({ viewport: { width, height: 844 } });
    const phrases = await visit.page.locator('h1 > span').evaluateAll((all) =>
      all.map((phrase) => {
        const { height, width: taken } = phrase.getBoundingClientRect();
        const lines = Math.round(height / Number.parseFloat(getComputedStyle(phrase).lineHeight));
        // Engines without optical sizes have wider letters.
        const hasRoom = 1.09 * taken <= (phrase.parentElement?.clientWidth ?? 0);
        return { text: phrase.textContent, lines, hasRoom };
      }),
    );
    expect(phrases).toEqual(home.hero.heading.map((text) => ({ text, lines: 1, hasRoom: true })));
  },
);

test('measured figures begin on the first screen of a desktop', async () => {
  await openHome({ viewport: DESKTOP });
  const figure = await visit.page.getByText(home.measured.figures[0]?.label ?? '').boundingBox();
  expect((figure?.y ?? DESKTOP.height) + (figure?.height ?? 0)).toBeLessThanOrEqual(DESKTOP.height);
});

test.each(THEMES)('the box of a face has the color of the theme %s', async (theme) => {
  await openHome();
  const colors = await visit.page.evaluate((name) => {
    document.documentElement.dataset.theme = name;
    const accent = getComputedStyle(document.documentElement).getPropertyValue('--accent-day');
    const probe = document.body.appendChild(document.createElement('i'));
    probe.style.color = accent;
    return [document.querySelector('figure rect'), probe].map((element, position) =>
      getComputedStyle(element as Element).getPropertyValue(position ? 'color' : 'stroke'),
    );
  }, theme);
  expect(colors[0]).toBe(colors[1]);
});

test.each(home.features)('$anchor: text and figure start at the same height', async ({ anchor }) => {
  await openHome({ viewport: DESKTOP });
  const heading = await boxOf(`#${anchor} h2`);
  const figure = await boxOf(`#${anchor} figure`);
  expect(Math.abs(heading.y - figure.y)).toBeLessThan(12);
});

test.each([390, 1280])('sections follow each other within 120 pixels at a width of %i', async (width) => {
  await openHome({ viewport: { width, height: 844 } });
  const gaps = await visit.page.locator('main > section').evaluateAll((all) =>
    all.slice(1).map((section, position) => {
      const contentOf = (element: Element | undefined) =>
        [...(element?.querySelectorAll('h2, h3, p, li, dd, pre, figure, a') ?? [])].map((part) =>
          part.getBoundingClientRect(),
        );
      const end = Math.max(...contentOf(all[position]).map(({ bottom }) => bottom));
      // The call to action begins with its ground.
      const isLast = position === all.length - 2;
      const start = isLast
        ? section.getBoundingClientRect().top
        : Math.min(...contentOf(section).map(({ top }) => top));
      return Math.round(start - end);
    }),
  );
  expect(gaps.length).toBeGreaterThanOrEqual(home.features.length);
  expect(Math.min(...gaps)).toBeGreaterThan(30);
  // The list of reasons lies between the first two sections.
  expect(Math.max(...gaps.slice(1))).toBeLessThanOrEqual(120);
});

test('the reasons have the same parts, in common rows', async () => {
  await openHome({ viewport: DESKTOP });
  const columns = await visit.page
    .locator('section:has(> h2 + div h3) > div > div > div')
    .evaluateAll((all) =>
      all.map((column) => ({
        left: column.getBoundingClientRect().left,
        tops: [...column.querySelectorAll('h3, h3 + p, dl > div')].map((part) =>
          Math.round(part.getBoundingClientRect().top),
        ),
      })),
    );
  expect(columns).toHaveLength(home.why.items.length);
  expect(new Set(columns.map(({ left }) => left)).size).toBe(columns.length);
  const [first, ...others] = columns;
  expect(first?.tops).toHaveLength(4);
  for (const { tops } of others) expect(tops).toEqual(first?.tops);
});

describe.each(['light', 'dark'] as const)('the call to action in %s mode', (colorScheme) => {
  test.each(THEMES)('stands out in the theme %s, with readable text and buttons', async (theme) => {
    await openHome({ colorScheme, javaScriptEnabled: true });
    await visit.page.evaluate((name) => {
      document.documentElement.dataset.theme = name;
    }, theme);
    const band = visit.page.locator('main > section').last();
    const colors = await band.evaluate((section) => {
      const hex = (color: string) =>
        `#${(color.match(/\d+/g) ?? []).map((part) => Number(part).toString(16).padStart(2, '0')).join('')}`;
      const styleOf = (element: Element) => getComputedStyle(element);
      const [primary, secondary] = section.querySelectorAll('a');
      return {
        page: hex(styleOf(document.documentElement).backgroundColor),
        ground: hex(styleOf(section).backgroundColor),
        texts: [...section.querySelectorAll('h2, p'), secondary as Element].map((element) =>
          hex(styleOf(element).color),
        ),
        primary: [styleOf(primary as Element).backgroundColor, styleOf(primary as Element).color].map(hex),
      };
    });
    expect(contrast(colors.page, colors.ground)).toBeGreaterThanOrEqual(4.5);
    expect(colors.texts).toHaveLength(3);
    for (const text of colors.texts) expect(contrast(text, colors.ground)).toBeGreaterThanOrEqual(4.5);
    const [ground = '', text = ''] = colors.primary;
    expect(contrast(ground, colors.ground)).toBeGreaterThanOrEqual(4.5);
    expect(contrast(text, ground)).toBeGreaterThanOrEqual(4.5);
    expect(await violations(visit.page, 'main > section:last-of-type')).toEqual([]);
  });
});
