import { isPage } from './is-page';

test.each([
  ['/', true],
  ['/docs/get-started#keys', true],
  ['/consoles', true],
  ['/console', false],
  ['/console/sign-up?plan=free', false],
  ['/console#top', false],
  ['/openapi.json', false],
  ['//other.example', false],
  ['https://other.example', false],
])('a link to %s changes the page without the server: %s', (to, expected) => {
  expect(isPage(to)).toBe(expected);
});
