import { useSyncExternalStore } from 'react';
import type { RootChoice } from './themes';

/** An attribute of <html> holds the choice for style sheets and this hook. */
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
      // Storage is full or denied: the choice lasts until the visitor leaves the page.
    }
  };
  return [current, choose];
}
