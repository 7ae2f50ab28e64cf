import type { ReactNode } from 'react';
import { Button } from '../../../../components/ui/button';
import { Dialog } from '../../parts/dialog';
import { Secret } from '../../parts/secret';
import { useKeys } from './key-data';

interface MadeKeyDialogProps {
  apiKey: string;
  onClose(): void;
  children?: ReactNode;
}

/** Shows a key, this once. */
export function MadeKeyDialog({ apiKey, onClose, children }: MadeKeyDialogProps) {
  const { keys, shell } = useKeys().texts;
  return (
    <Dialog title={keys.made.title} text={shell.copyNow} isSticky onClose={onClose}>
      <Secret label={keys.made.label} text={apiKey} />
      {children}
      <Button onClick={onClose}>{keys.made.action}</Button>
    </Dialog>
  );
}
