/**
 * Reports errors that nothing on the site has handled: which kind, and where in its scripts. The message stays, since
 * it may hold what somebody typed.
 */
import type { Track } from './create-track';

/** For each page that is loaded: one that fails in a loop does not report forever. */
const MAX_REPORTS = 10;

export function reportExceptions(target: Pick<EventTarget, 'addEventListener'>, track: Track): void {
  let reports = 0;
  const report = (properties: Record<string, string>) => {
    if (++reports <= MAX_REPORTS) track('exception', properties);
  };
  target.addEventListener('error', (event) => {
    const { error, filename, lineno, colno } = event as ErrorEvent;
    // Pictures that are missing come by here as well, without an error.
    if (error) report({ kind: nameOf(error), at: `${pathOf(filename)}:${lineno}:${colno}` });
  });
  target.addEventListener('unhandledrejection', (event) => {
    report({ kind: nameOf((event as PromiseRejectionEvent).reason), at: 'promise' });
  });
}

const nameOf = (error: unknown): string => (error instanceof Error ? error.name : typeof error);

/** An address without what follows its path. */
const pathOf = (address = ''): string => address.replace(/^\w+:\/\/[^/]+/, '').replace(/[?#].*$/, '');
