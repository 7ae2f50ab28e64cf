import { useSyncExternalStore } from 'react';

const subscribe = () => () => {};

/** False in the built HTML and while React hydrates it: controls that need scripts are disabled until then. */
export const useHasScript = () =>
  useSyncExternalStore(
    subscribe,
    () => true,
    () => false,
  );
