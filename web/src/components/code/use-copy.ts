import { useEffect, useRef, useState } from 'react';
import { track } from '../../analytics/track';

/** How long a button shows the outcome, in milliseconds. */
const OUTCOME_MS = 2500;

type Outcome = 'copied' | 'failed';

/**
 * Copies a text to the clipboard.
 * @param read gives the text when the visitor presses the button
 * @returns the outcome, null before and some time after, and what the button does
 */
export function useCopy(
  read: () => string | Promise<string>,
): readonly [outcome: Outcome | null, copy: () => Promise<void>] {
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);

  const copy = async () => {
    setOutcome(await write(read()));
    track('copy');
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setOutcome(null), OUTCOME_MS);
  };
  return [outcome, copy];
}

/** Browsers deny the clipboard to insecure and inactive pages. */
async function write(text: string | Promise<string>): Promise<Outcome> {
  try {
    if (typeof text === 'string') await navigator.clipboard.writeText(text);
    else await writeLater(text);
    return 'copied';
  } catch {
    return 'failed';
  }
}

/**
 * Writes a text that is still loading. Safari allows this only if the write starts with the press. Browsers that take no
 * promises write once the text is there.
 */
async function writeLater(text: Promise<string>): Promise<void> {
  const type = 'text/plain';
  try {
    const item = new ClipboardItem({ [type]: text.then((loaded) => new Blob([loaded], { type })) });
    await navigator.clipboard.write([item]);
  } catch {
    await navigator.clipboard.writeText(await text);
  }
}
