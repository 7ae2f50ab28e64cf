/**
 * Gatsby loads the data and code of the next page itself. If that fails, it sends the browser to the page's
 * address, which works as long as the server does. This adds two things: it reports the failure,
 * and treats an exception as a failure.
 */
import type { Track } from '../../analytics/create-track';

/** The API of Gatsby's window.___loader. */
export interface PageLoader {
  /** Loads a path with its query. Resolves to nothing, or to an error status, if the page cannot be shown. */
  loadPage(path: string): Promise<{ status?: string } | undefined>;
}

/** Call it after the first page has rendered. */
export function watchNavigation(loader: PageLoader, track: Track): void {
  const load = loader.loadPage;
  loader.loadPage = async (path) => {
    // Gatsby awaits only this. An exception would make the click do nothing.
    const page = await load(path).catch(() => undefined);
    const failed = !page || page.status === 'error';
    if (failed) track('exception', { kind: 'navigation', at: path.replace(/[?#].*$/, '') });
    return page;
  };
}
