import type { AuthenticatorSetup, Profile } from '@presenza/contract/console/types.d.ts';
import { useState } from 'react';
import { Button } from '../../../../components/ui/button';
import { fill } from '../../../../fill';
import { Confirm, Dialog } from '../../parts/dialog';
import { Field, Form } from '../../parts/form';
import { Failure } from '../../parts/message';
import { Block } from '../../parts/page';
import { Secret } from '../../parts/secret';
import { dataOf } from '../../state/api';
import { useConsole } from '../../state/context';
import { usePrompts } from '../../state/prompts';
import { useAction, useReload } from '../../state/queries';
import * as styles from './profile.module.css';
import { QrCode } from './qr-code';

/** The second factor of a sign-in with a password. */
export function Authenticator({ profile: { hasOneTimePasswords, recoveryCodesLeft } }: { profile: Profile }) {
  const { texts, api, refresh } = useConsole();
  const { codes } = texts.profile;
  const [setup, setSetup] = useState<AuthenticatorSetup>();
  const [recoveryCodes, setRecoveryCodes] = useState<readonly string[]>();
  const [isRemoving, setRemoving] = useState(false);
  const reload = useReload();
  const { notify } = usePrompts();
  const begin = useAction(async () => setSetup(await dataOf(api.POST('/profile/codes'))));
  const remove = async () => {
    await dataOf(api.DELETE('/profile/codes'));
    await refresh();
    notify(codes.removed);
  };
  const added = (fresh: readonly string[]) => {
    setSetup(undefined);
    setRecoveryCodes(fresh);
  };
  const close = async () => {
    setRecoveryCodes(undefined);
    await refresh();
    notify(codes.done);
    // The first second factor ends all other sign-ins.
    reload('/profile/sign-ins');
  };
  return (
    <Block
      title={codes.title}
      actions={
        <>
          <Button variant="secondary" aria-busy={begin.isPending || undefined} onClick={() => begin.run()}>
            {hasOneTimePasswords ? codes.replace : codes.add}
          </Button>
          {hasOneTimePasswords && (
            <Button variant="secondary" onClick={() => setRemoving(true)}>
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
  setup: AuthenticatorSetup;
  onAdded(recoveryCodes: readonly string[]): void;
  onClose(): void;
}

function SetUp({ setup: { ticket, secret, uri }, onAdded, onClose }: SetUpProps) {
  const { texts, api } = useConsole();
  const { setUp } = texts.profile.codes;
  const confirm = async ({ code }: { code: string }) => {
    const { recoveryCodes } = await dataOf(api.POST('/profile/codes/confirm', { body: { ticket, code } }));
    onAdded(recoveryCodes);
  };
  return (
    <Dialog title={setUp.title} text={setUp.text} onClose={onClose}>
      <QrCode text={uri} label={setUp.qrCode} />
      <div className={styles.secret}>
        <p>{setUp.byHand}</p>
        <Secret label={setUp.secret} text={secret} />
      </div>
      <Form action={setUp.action} onSubmit={confirm}>
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
  const { recovery } = useConsole().texts.profile.codes;
  return (
    <Dialog title={recovery.title} text={recovery.text} isSticky onClose={onClose}>
      <Secret label={recovery.title} text={codes.join('\n')} />
      <Button onClick={onClose}>{recovery.action}</Button>
    </Dialog>
  );
}
