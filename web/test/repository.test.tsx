/** Links to edit pages and the command that clones the repository, in builds with and without REPOSITORY_URL. */
import type { ReactElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { edit } from '../content/docs/sidebar.json';
import { contact } from '../content/site.json';
import { CloneCommand } from '../src/components/code/clone-command';
import { DocsFooter } from '../src/components/docs/docs-footer';
import { cloneCommand } from '../src/repository.mjs';
import { callInNode } from './call-in-node';
import { tags, textOf } from './html';
import { readPage } from './quality/built-site';

const mockSite = jest.fn();
const mockDocs = {
  groups: [],
  label: '',
  previous: '',
  next: '',
  lastUpdated: '',
  edit,
  versions: { product: '', unreleased: '', api: '' },
  described: { product: '', isReleased: true, anchor: '', api: '' },
};
jest.mock('../src/components/use-site', () => ({ useSite: () => mockSite() }));
jest.mock('../src/components/docs/use-docs', () => ({ pagesOf: () => [], useDocs: () => mockDocs }));
jest.mock('../src/components/docs/docs-footer.module.css', () => ({}));
jest.mock('../src/components/code/code-block', () => ({ CodeBlock: 'pre' }));
jest.mock('gatsby', () => ({ graphql: () => undefined, Link: 'a' }));

const REPOSITORY = 'https://git.example.com/team/presenza.git';
const source = { path: 'web/content/docs/testing.mdx', lastUpdated: '2026-01-01', date: '1 January 2026' };

function render(element: ReactElement, repositoryUrl: string | null): string {
  mockSite.mockReturnValue({ repositoryUrl });
  return renderToStaticMarkup(element);
}

describe('with REPOSITORY_URL', () => {
  test('a page links to its source file', () => {
    const html = render(<DocsFooter current="/docs/testing" source={source} />, REPOSITORY);
    expect(tags(html, 'a')).toContainEqual({
      href: `https://git.example.com/team/presenza/edit/main/${source.path}`,
    });
    expect(textOf(html)).toContain(edit);
  });

  test('the clone command enters the folder that it makes', () => {
    expect(textOf(render(<CloneCommand />, REPOSITORY)).trim()).toBe(`git clone ${REPOSITORY} cd presenza`);
    expect(cloneCommand('https://git.example.com/team/face-check')).toMatch(/\ncd face-check$/);
  });
});

/** The Markdown of a page with the command, by the build's own module. */
const twin = (mdx: string, repositoryUrl: string | null): string =>
  callInNode('gatsby/after-build/twins.mjs', 'fillClone', mdx, repositoryUrl);

test('the Markdown of a page has the command only with REPOSITORY_URL, and otherwise what replaces it', () => {
  const cloned = `Run:\n\n\`\`\`bash\ngit clone ${REPOSITORY}\ncd presenza\n\`\`\`\n\nDone.`;
  const bare = 'Run:\n\n<CloneCommand />\n\nDone.';
  expect([twin(bare, null), twin(bare, REPOSITORY)]).toEqual(['Run:\n\nDone.', cloned]);
  const replaced = 'Run:\n\n<CloneCommand>\n\nAsk us.\n\n</CloneCommand>\n\nDone.';
  expect([twin(replaced, null), twin(replaced, REPOSITORY)]).toEqual(['Run:\n\nAsk us.\n\nDone.', cloned]);
});

describe('without REPOSITORY_URL', () => {
  test('there is neither an edit link nor a clone command', () => {
    const html = render(<DocsFooter current="/docs/testing" source={source} />, null);
    expect(html).not.toContain('/edit/');
    expect(textOf(html)).not.toContain(edit);
    expect(render(<CloneCommand />, null)).toBe('');
    expect(render(<CloneCommand>Ask us.</CloneCommand>, null)).toBe('Ask us.');
  });

  test.each(['/', '/docs/get-started', '/docs/operations'])('%s of this build has neither', (path) => {
    expect(textOf(readPage(path))).toContain('npm start');
    expect(textOf(readPage(path))).not.toContain('git clone');
  });

  test.each(['/docs/get-started', '/docs/operations', '/docs/downloads'])('%s says whom to ask', (path) => {
    const { href } =
      tags(readPage(path), 'a').find((link) => link.href === `mailto:${contact.support}`) ?? {};
    expect(href).toBeDefined();
    expect(textOf(readPage(path))).toContain('does not publish the address of its source code');
  });
});
