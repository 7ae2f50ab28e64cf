import { Button } from '../../../../components/ui/button';
import { Dialog } from '../../parts/dialog';
import { Secret } from '../../parts/secret';
import { useWebhooks } from './use-webhooks';

/** Shows a new signing secret, this once. */
export function SecretDialog({ title, secret, onClose }: { title: string; secret: string; onClose(): void }) {
  const { shell, webhooks } = useWebhooks().texts;
  const { label, text, done } = webhooks.secret;
  return (
    <Dialog title={title} text={`${text} ${shell.copyNow}`} onClose={onClose} isSticky>
      <Secret label={label} text={secret} />
      <div>
        <Button onClick={onClose}>{done}</Button>
      </div>
    </Dialog>
  );
}
