import { PageLight, pageColors } from './light';
import type { Solid } from './solid';

const solid = {} as Solid;
const [amber, blue] = pageColors as [(typeof pageColors)[0], (typeof pageColors)[0]];

test('reflects each color of the page after the delay', () => {
  const light = new PageLight(100);
  expect(light.on(solid, 0)).toBe(solid);
  light.shine(amber, 0);
  light.shine(blue, 600);
  expect(light.on(solid, 99)).toBe(solid);
  const gains = [100, 699, 700].map((ms) => light.on(solid, ms).gain as readonly number[]);
  expect(gains[1]).toEqual(gains[0]);
  expect(gains[0]?.[0]).toBeGreaterThan(gains[0]?.[2] as number);
  expect(gains[2]?.[0]).toBeLessThan(gains[2]?.[2] as number);
});

test.each(pageColors)('the color %i, %i, %i is no saturated red', (red, green, blueLevel) => {
  // WCAG 2.3.1 calls a red saturated from this share on.
  expect(red / (red + green + blueLevel)).toBeLessThan(0.8);
});
