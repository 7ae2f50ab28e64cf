/** Reports unhandled errors with kind and location. The message is left out, because it may contain user input. */
import type { Track } from './create-track';

/** The most reports of a page load, so that a page that fails in a loop does not report forever. */
const MAX_REPORTS = 10;

export function reportExceptions(target: Pick<EventTarget, 'addEventListener'>, track: Track): void {
  let reports = 0;
  const report = (properties: Record<string, string>) => {
    if (++reports <= MAX_REPORTS) track('exception', properties);
  };
  target.addEventListener('error', (event) => {
    const { error, filename, lineno, colno } = event as ErrorEvent;
    // Missing images raise events without an error.
    if (error) report({ kind: nameOf(error), at: `${pathOf(filename)}:${lineno}:${colno}` });
  });
  target.addEventListener('unhandledrejection', (event) => {
    report({ kind: nameOf((event as PromiseRejectionEvent).reason), at: 'promise' });
  });
}

const nameOf = (error: unknown): string => (error instanceof Error ? error.name : typeof error);

/** An address without query and fragment. */
const pathOf = (address = ''): string => address.replace(/^\w+:\/\/[^/]+/, '').replace(/[?#].*$/, '');
