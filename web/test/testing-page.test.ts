/** The page about testing lists the test images of the contract, and the site serves them unchanged. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { images } from '@presenza/contract/test-images.json';
import { tags } from './html';
import { readPage } from './quality/built-site';

const built = join(__dirname, '../public');
const html = readPage('/docs/testing').replaceAll('<wbr/>', '');

test.each(images)('$name.png is listed with its response, and downloads unchanged', ({ name, response }) => {
  const address = `/test-images/${name}.png`;
  expect(tags(html, 'a').filter(({ href }) => href === address)).toHaveLength(1);
  expect(html).toContain(`<td>${response.replace(/`([^`]*)`/g, '<code>$1</code>')}</td>`);
  const original = readFileSync(require.resolve(`@presenza/contract/test-images/${name}.png`));
  expect(readFileSync(join(built, address)).equals(original)).toBe(true);
});

test('the Markdown twin lists the same images', () => {
  const twin = readFileSync(join(built, 'docs/testing.md'), 'utf8');
  for (const { name, response } of images) {
    expect(twin).toContain(`[${name}.png](`);
    expect(twin).toContain(response);
  }
  expect(twin).not.toContain('TestImagesTable');
});
