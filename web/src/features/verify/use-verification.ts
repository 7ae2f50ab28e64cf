/** Runs the state machine. Its events come from effects of the current view and from the person. */
import { useEffect, useReducer, useRef } from 'react';
import { closeCamera } from './camera';
import { type Page, runEffect } from './effects';
import { parseLink } from './link';
import { type Event, INITIAL, isOpen, reduce, usesCamera } from './machine';

/** Well within the grace period before an abandoned session is cancelled. */
const KEEP_ALIVE_MS = 8_000;

/** @param notice version of the consent text */
export function useVerification(notice: string) {
  const [state, dispatch] = useReducer(reduce, INITIAL);
  const page = useRef<Page>({ link: null, gateway: null });
  const video = useRef<HTMLVideoElement>(null);
  const { view } = state;
  const camera = usesCamera(view) ? view.camera : null;

  // biome-ignore lint/correctness/useExhaustiveDependencies: effects depend on the view only.
  useEffect(() => {
    const abort = new AbortController();
    const dispatchFromView = (event: Event) => {
      if (!abort.signal.aborted) dispatch(event);
    };
    runEffect({
      state,
      page: page.current,
      video,
      notice,
      signal: abort.signal,
      dispatch: dispatchFromView,
    });
    return () => abort.abort();
  }, [view.at]);

  useEffect(() => {
    if (camera) return () => closeCamera(camera);
  }, [camera]);

  useEffect(() => {
    // Another link in the same tab changes only the fragment.
    const followLink = () => parseLink(window.location.hash.slice(1)) && window.location.reload();
    window.addEventListener('hashchange', followLink);
    return () => window.removeEventListener('hashchange', followLink);
  }, []);

  const open = isOpen(state);
  const waiting = open && !usesCamera(view) && view.at !== 'judging';
  useEffect(() => {
    if (!waiting) return;
    // Keeps the session alive when it is also open in another page that is closed.
    const keepAlive = setInterval(
      () => page.current.gateway?.start(new AbortController().signal),
      KEEP_ALIVE_MS,
    );
    return () => clearInterval(keepAlive);
  }, [waiting]);

  useEffect(() => {
    if (!open) return;
    // The browser may restore the page from its cache.
    const leave = ({ persisted }: PageTransitionEvent) => persisted || page.current.gateway?.leave();
    window.addEventListener('pagehide', leave);
    return () => window.removeEventListener('pagehide', leave);
  }, [open]);

  return { state, video, link: page.current.link, dispatch };
}
