import { lightColors, rgbOf } from '../../../src/services/liveness/capture/light';
import { type Color, PageLight } from './light';
import type { Solid } from './solid';

const solid = {} as Solid;
const [amber, blue] = lightColors.map(rgbOf) as [Color, Color];

test('reflects each color of the page after the delay', () => {
  const light = new PageLight(100);
  expect(light.lit(solid, 0)).toBe(solid);
  light.shine(amber, 0);
  light.shine(blue, 600);
  expect(light.lit(solid, 99)).toBe(solid);
  const gains = [100, 699, 700].map((ms) => light.lit(solid, ms).gain as readonly number[]);
  expect(gains[1]).toEqual(gains[0]);
  expect(gains[0]?.[0]).toBeGreaterThan(gains[0]?.[2] as number);
  expect(gains[2]?.[0]).toBeLessThan(gains[2]?.[2] as number);
});
