/** Runs the state machine: its events come from the effects of the view at hand, and from the person. */
import { useCallback, useEffect, useReducer, useRef } from 'react';
import { closeCamera } from './camera';
import { type Page, runEffect } from './effects';
import { parseLink } from './link';
import { type Event, INITIAL, isOpen, reduce, usesCamera } from './machine';

/** Well within the time after which a session that was left is cancelled. */
const STAY_MS = 8_000;

/** @param notice version of the words that the person agrees to */
export function useVerification(notice: string) {
  const [state, dispatch] = useReducer(reduce, INITIAL);
  const page = useRef<Page>({ link: null, gateway: null });
  const video = useRef<HTMLVideoElement>(null);
  const { view } = state;
  const camera = usesCamera(view) ? view.camera : null;

  // biome-ignore lint/correctness/useExhaustiveDependencies: an effect belongs to a view, not to each of its changes.
  useEffect(() => {
    const abort = new AbortController();
    const tell = (event: Event) => {
      if (!abort.signal.aborted) dispatch(event);
    };
    runEffect({ state, page: page.current, video, notice, signal: abort.signal, tell });
    return () => abort.abort();
  }, [view.at]);

  useEffect(() => {
    if (camera) return () => closeCamera(camera);
  }, [camera]);

  useEffect(() => {
    // Another link in the same tab changes nothing but the fragment.
    const followLink = () => parseLink(window.location.hash.slice(1)) && window.location.reload();
    window.addEventListener('hashchange', followLink);
    return () => window.removeEventListener('hashchange', followLink);
  }, []);

  const open = isOpen(state);
  const waiting = open && !usesCamera(view) && view.at !== 'judging';
  useEffect(() => {
    if (!waiting) return;
    // The session may be open elsewhere as well: when that page is closed, this one is still there.
    const stay = setInterval(() => page.current.gateway?.start(new AbortController().signal), STAY_MS);
    return () => clearInterval(stay);
  }, [waiting]);

  useEffect(() => {
    if (!open) return;
    // A page that the browser keeps may come back as it was.
    const leave = ({ persisted }: PageTransitionEvent) => persisted || page.current.gateway?.leave();
    window.addEventListener('pagehide', leave);
    return () => window.removeEventListener('pagehide', leave);
  }, [open]);

  const tell = useCallback((event: Event) => dispatch(event), []);
  return { state, video, link: page.current.link, tell };
}
