import type { ErasureReceipt } from '@presenza/contract/console/types.d.ts';
import { useState } from 'react';
import { Button } from '../../../components/ui/button';
import { useConsole } from '../state/context';
import { CopiedId } from './copied-id';
import { Confirm, Dialog } from './dialog';
import { Facts } from './facts';
import { Block } from './page';
import { Time } from './time';

interface DeletionProps {
  texts: { readonly title: string; readonly text: string; readonly action: string };
  /** The question that a dialog asks. */
  question: { readonly title: string; readonly text: string };
  /** The text that the person types. */
  name: string;
  /** Makes the call that erases. @throws CallError */
  erase(): Promise<{ readonly receipt: ErasureReceipt }>;
  onClose(): void;
}

/** A part of a page that deletes the account or the person. */
export function Deletion({ texts, question, name, erase, onClose }: DeletionProps) {
  const { title, text, action } = texts;
  const [isAsking, setAsking] = useState(false);
  const [receipt, setReceipt] = useState<ErasureReceipt>();
  return (
    <Block title={title}>
      <p>{text}</p>
      <div>
        <Button variant="danger" onClick={() => setAsking(true)}>
          {action}
        </Button>
      </div>
      {isAsking && (
        <Confirm
          {...question}
          action={action}
          name={name}
          onConfirm={async () => setReceipt((await erase()).receipt)}
          onClose={() => setAsking(false)}
        />
      )}
      {receipt && <Receipt receipt={receipt} onClose={onClose} />}
    </Block>
  );
}

interface ReceiptProps {
  receipt: ErasureReceipt;
  onClose(): void;
}

/** Shown after an erasure, and mailed as well. */
function Receipt({ receipt: { number, at, erased }, onClose }: ReceiptProps) {
  const { receipt: texts, close } = useConsole().texts.shell;
  const kinds: Readonly<Record<string, string>> = texts.kinds;
  return (
    <Dialog title={texts.title} text={texts.text} isSticky onClose={onClose}>
      <Facts
        facts={[
          [texts.number, <CopiedId key="number" id={number} />],
          [texts.at, <Time key="at" at={at} />],
          ...Object.entries(erased).map(([kind, count]) => [kinds[kind] ?? kind, String(count)] as const),
        ]}
      />
      <Button onClick={onClose}>{close}</Button>
    </Dialog>
  );
}
