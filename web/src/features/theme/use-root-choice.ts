import { useSyncExternalStore } from 'react';
import type { RootChoice } from './themes';

/** The <html> element holds the choice: the style sheets read it there, and so does this hook. */
export function useRootChoice<Value extends string>({
  name,
  values,
  fallback,
}: RootChoice<Value>): [Value, (value: string) => void] {
  const find = (value: string | undefined) => values.find((known) => known === value);
  const subscribe = (onChange: () => void) => {
    const observer = new MutationObserver(onChange);
    observer.observe(document.documentElement, { attributeFilter: [`data-${name}`] });
    return () => observer.disconnect();
  };
  const current = useSyncExternalStore(
    subscribe,
    () => find(document.documentElement.dataset[name]) ?? fallback,
    () => fallback,
  );
  const choose = (value: string) => {
    if (!find(value)) return;
    document.documentElement.dataset[name] = value;
    try {
      localStorage.setItem(name, value);
    } catch {
      // Storage is full or refused: the choice lasts until the page is left.
    }
  };
  return [current, choose];
}
