import site from '../../../content/site.json';
import { MODE, THEME } from './themes';

test.each([
  [THEME, site.themes],
  [MODE, site.modes],
])('every choice has a label, in the order in which it is offered', ({ values, fallback }, { choices }) => {
  expect(choices.map(({ name }) => name)).toEqual([...values]);
  expect(values[0]).toBe(fallback);
  for (const { label } of choices) expect(label).toMatch(/\S/);
});
