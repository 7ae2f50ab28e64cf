import { useState } from 'react';
import { Button } from '../../../../components/ui/button';
import { fill } from '../../../../fill';
import { useConsole } from '../../context';
import { Confirm, Dialog } from '../../parts/dialog';
import { Field, Form, type Values } from '../../parts/form';
import { Failure } from '../../parts/message';
import { Block } from '../../parts/page';
import { Secret } from '../../parts/secret';
import { useAction } from '../../use-call';
import type { OfProfile } from './index';
import * as styles from './profile.module.css';
import { QrCode } from './qr-code';

interface Setup {
  readonly ticket: string;
  readonly secret: string;
  readonly uri: string;
}

/** The second factor of a sign-in with a password. */
export function Authenticator({ profile: { hasOneTimePasswords, recoveryCodesLeft } }: OfProfile) {
  const { words, api, refresh } = useConsole();
  const { codes } = words.profile;
  const [setup, setSetup] = useState<Setup>();
  const [recoveryCodes, setRecoveryCodes] = useState<readonly string[]>();
  const [isRemoving, setRemoving] = useState(false);
  const begin = useAction(async () => setSetup(await api.call<Setup>('POST', '/profile/codes', {})));
  const remove = async () => {
    await api.call('DELETE', '/profile/codes', {});
    await refresh();
  };
  const added = (fresh: readonly string[]) => {
    setSetup(undefined);
    setRecoveryCodes(fresh);
  };
  const close = async () => {
    setRecoveryCodes(undefined);
    await refresh();
  };
  return (
    <Block
      title={codes.title}
      actions={
        <>
          <Button look="secondary" aria-busy={begin.isBusy || undefined} onClick={() => void begin.run()}>
            {hasOneTimePasswords ? codes.replace : codes.add}
          </Button>
          {hasOneTimePasswords && (
            <Button look="secondary" onClick={() => setRemoving(true)}>
              {codes.remove}
            </Button>
          )}
        </>
      }
    >
      <p>{hasOneTimePasswords ? fill(codes.isOn, { count: recoveryCodesLeft }) : codes.isOff}</p>
      <Failure error={begin.error} />
      {setup && <SetUp setup={setup} onAdded={added} onClose={() => setSetup(undefined)} />}
      {recoveryCodes && <RecoveryCodes codes={recoveryCodes} onClose={() => void close()} />}
      {isRemoving && (
        <Confirm
          title={codes.removal.title}
          text={codes.removal.text}
          action={codes.removal.action}
          onConfirm={remove}
          onClose={() => setRemoving(false)}
        />
      )}
    </Block>
  );
}

interface SetUpProps {
  setup: Setup;
  onAdded(recoveryCodes: readonly string[]): void;
  onClose(): void;
}

function SetUp({ setup: { ticket, secret, uri }, onAdded, onClose }: SetUpProps) {
  const { words, api } = useConsole();
  const { setUp } = words.profile.codes;
  const confirm = useAction(async (values: Values) => {
    const { recoveryCodes } = await api.call<{ recoveryCodes: string[] }>('POST', '/profile/codes/confirm', {
      ticket,
      ...values,
    });
    onAdded(recoveryCodes);
  });
  return (
    <Dialog title={setUp.title} text={setUp.text} onClose={onClose}>
      <QrCode text={uri} label={setUp.qrCode} />
      <div className={styles.secret}>
        <p>{setUp.byHand}</p>
        <Secret label={setUp.secret} text={secret} />
      </div>
      <Form action={setUp.action} on={confirm}>
        <Field
          name="code"
          label={setUp.code}
          inputMode="numeric"
          autoComplete="one-time-code"
          required
          maxLength={32}
        />
      </Form>
    </Dialog>
  );
}

/** Nobody can show them again. */
function RecoveryCodes({ codes, onClose }: { codes: readonly string[]; onClose(): void }) {
  const { recovery } = useConsole().words.profile.codes;
  return (
    <Dialog title={recovery.title} text={recovery.text} isSticky onClose={onClose}>
      <Secret label={recovery.title} text={codes.join('\n')} />
      <Button onClick={onClose}>{recovery.action}</Button>
    </Dialog>
  );
}
