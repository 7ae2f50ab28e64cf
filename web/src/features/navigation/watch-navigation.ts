/**
 * Gatsby loads the data and code of the next page itself. Where that fails, it sends the browser there as to any other
 * address, which works as long as the server does. This adds the two things it leaves out: the failure is reported,
 * and one that is thrown counts as one too.
 */
import type { Track } from '../analytics/create-track';

/** What Gatsby offers as window.___loader. */
export interface PageLoader {
  /** Of a path, with its query. Gives nothing, or an error for a status, where the page cannot be shown. */
  loadPage(path: string): Promise<{ status?: string } | undefined>;
}

/** To be called when the first page is there: nothing is navigated to before. */
export function watchNavigation(loader: PageLoader, track: Track): void {
  const load = loader.loadPage;
  loader.loadPage = async (path) => {
    // Gatsby waits for this alone: were it to throw, the click would do nothing at all.
    const page = await load(path).catch(() => undefined);
    const failed = !page || page.status === 'error';
    if (failed) track('exception', { kind: 'navigation', at: path.replace(/[?#].*$/, '') });
    return page;
  };
}
