import { Button } from '../../../components/ui/button';
import { useConsole } from '../context';
import { Dialog } from './dialog';
import { Facts } from './facts';
import { Time } from './time';

export interface ErasureReceipt {
  readonly number: string;
  readonly at: string;
  /** Numbers of what was erased, by kind. */
  readonly erased: Readonly<Record<string, number>>;
}

interface ReceiptProps {
  receipt: ErasureReceipt;
  onClose(): void;
}

/** Shown after an erasure, and mailed as well. */
export function Receipt({ receipt: { number, at, erased }, onClose }: ReceiptProps) {
  const { receipt: words, close } = useConsole().words.shell;
  const kinds: Readonly<Record<string, string>> = words.kinds;
  return (
    <Dialog title={words.title} text={words.text} isSticky onClose={onClose}>
      <Facts
        facts={[
          [words.number, <code key="number">{number}</code>],
          [words.at, <Time key="at" at={at} />],
          ...Object.entries(erased).map(([kind, count]) => [kinds[kind] ?? kind, String(count)] as const),
        ]}
      />
      <Button onClick={onClose}>{close}</Button>
    </Dialog>
  );
}
