import { useState } from 'react';
import { Button } from '../../../../components/ui/button';
import { fill } from '../../../../fill';
import { Dialog } from '../../parts/dialog';
import { Field, Form, type Values } from '../../parts/form';
import { useConsole } from '../../state/context';
import { useAction } from '../../state/use-call';
import { RoleChoice } from './role-choice';

interface InviteProps {
  /** Of the calls about members. */
  path: string;
  onSent(): void;
  onClose(): void;
}

export function Invite({ path, onSent, onClose }: InviteProps) {
  const { words, api } = useConsole();
  const { invitation } = words.members;
  const [sentTo, setSentTo] = useState<string>();
  const send = useAction(async (values: Values) => {
    await api.call('POST', path, values);
    setSentTo(values.email);
    onSent();
  });
  if (sentTo !== undefined) {
    return (
      <Dialog title={invitation.sent} text={fill(invitation.sentText, { email: sentTo })} onClose={onClose}>
        <Button onClick={onClose}>{words.shell.close}</Button>
      </Dialog>
    );
  }
  return (
    <Dialog title={invitation.title} text={invitation.text} onClose={onClose}>
      <Form action={invitation.action} on={send}>
        <Field
          name="email"
          type="email"
          label={words.people.email}
          autoComplete="off"
          required
          maxLength={254}
        />
        <RoleChoice defaultValue="developer" />
      </Form>
    </Dialog>
  );
}
