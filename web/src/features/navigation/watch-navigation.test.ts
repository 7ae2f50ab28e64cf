import { type PageLoader, watchNavigation } from './watch-navigation';

type Page = Awaited<ReturnType<PageLoader['loadPage']>>;

function watch(load: () => Promise<Page>) {
  const events: unknown[] = [];
  const loader: PageLoader = { loadPage: load };
  watchNavigation(loader, (event, properties) => events.push({ event, ...properties }));
  return { loader, events };
}

test('a page that loads is passed on without a report', async () => {
  const page = { status: 'success' };
  const { loader, events } = watch(async () => page);
  expect(await loader.loadPage('/pricing')).toBe(page);
  expect(events).toEqual([]);
});

test.each<[string, () => Promise<Page>]>([
  ['comes to an error', async () => ({ status: 'error' })],
  ['comes to nothing', async () => undefined],
  ['throws', async () => Promise.reject(new TypeError('no connection'))],
])('a page whose loading %s is reported, and Gatsby learns of it', async (_how, load) => {
  const { loader, events } = watch(load);
  const page = await loader.loadPage('/docs?q=somebody@example.com');
  expect(page?.status ?? 'error').toBe('error');
  expect(events).toEqual([{ event: 'exception', kind: 'navigation', at: '/docs' }]);
});
