import { useState } from 'react';
import { Button } from '../../../components/ui/button';
import { useConsole } from '../state/context';
import * as styles from './pager.module.css';

/** The place in a list that the API returns in pages: the last entry of the page before, if there is one. */
export interface Place {
  readonly after: string | undefined;
  older(next: string): void;
  newer(): void;
}

/** @param list begins at its first page when it becomes another */
export function usePlace(list = ''): Place {
  const [state, setState] = useState<{ list: string; places: readonly string[] }>({ list, places: [] });
  const places = state.list === list ? state.places : [];
  const set = (next: readonly string[]) => setState({ list, places: next });
  return {
    after: places.at(-1),
    older: (next) => set([...places, next]),
    newer: () => set(places.slice(0, -1)),
  };
}

/** Leads to newer and older entries. @param next of the page, if more entries follow */
export function Pager({ place, next }: { place: Place; next: string | undefined }) {
  const { newer, older } = useConsole().texts.shell;
  if (place.after === undefined && next === undefined) return null;
  // A disabled button would lose the focus.
  return (
    <div className={styles.pager}>
      <Button
        variant="secondary"
        aria-disabled={place.after === undefined}
        onClick={() => place.after !== undefined && place.newer()}
      >
        {newer}
      </Button>
      <Button
        variant="secondary"
        aria-disabled={next === undefined}
        onClick={() => next !== undefined && place.older(next)}
      >
        {older}
      </Button>
    </div>
  );
}
