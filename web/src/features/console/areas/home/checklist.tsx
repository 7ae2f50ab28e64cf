import type { Checklist } from '@presenza/contract/console/types.d.ts';
import { Link } from 'gatsby';
import type { ReactNode } from 'react';
import { Button } from '../../../../components/ui/button';
import { Status } from '../../../../components/ui/status';
import { fill } from '../../../../fill';
import { Failure } from '../../parts/message';
import { Secret } from '../../parts/secret';
import { dataOf } from '../../state/api';
import { useAccount } from '../../state/context';
import { useAction, useReload } from '../../state/queries';
import * as styles from './home.module.css';

interface StepListProps {
  /** The steps that the account has taken. */
  steps: Checklist;
  /** The key that was just made. */
  apiKey: string | undefined;
  onMade(apiKey: string): void;
}

export function StepList({ steps, apiKey, onMade }: StepListProps) {
  const { texts, apiUrl } = useAccount();
  const { call, webhook, liveness, keyPlaceholder } = texts.home;
  const key = apiKey ?? keyPlaceholder;
  const hint = apiKey === undefined && <p>{fill(call.withKey, { placeholder: keyPlaceholder })}</p>;
  return (
    <ol className={styles.steps}>
      <KeyStep isDone={steps.key} apiKey={apiKey} onMade={onMade} />
      <Step name="call" isDone={steps.call}>
        {hint}
        <Secret label={call.command} text={detectCommand(apiUrl, key)} />
      </Step>
      <Step name="webhook" isDone={steps.webhook}>
        <p>
          <Link to="/console/webhooks">{webhook.action}</Link>
        </p>
      </Step>
      <Step name="liveness" isDone={steps.liveness}>
        {hint}
        <Secret label={liveness.command} text={livenessCommand(apiUrl, key)} />
        <p>
          <a href="/docs/web">{liveness.docs}</a>
        </p>
      </Step>
    </ol>
  );
}

/** Shells read on in the next line. */
const newLine = ' \\\n  ';

/** The service knows the test image by its bytes. */
const detectCommand = (apiUrl: string, key: string) =>
  [
    `curl -s ${window.location.origin}/test-images/face.png |`,
    `curl -si ${apiUrl}/detect`,
    `-H "Authorization: Bearer ${key}"`,
    '-F image=@-',
  ].join(newLine);

const livenessCommand = (apiUrl: string, key: string) =>
  [
    `curl -si ${apiUrl}/liveness`,
    `-H "Authorization: Bearer ${key}"`,
    `-H "Content-Type: application/json" -d '{"testOutcome": "live"}'`,
  ].join(newLine);

interface StepProps {
  name: keyof Checklist;
  isDone: boolean;
  /** In place of the text and the children. */
  result?: ReactNode;
  /** Shown while the step is open. */
  children: ReactNode;
}

function Step({ name, isDone, result, children }: StepProps) {
  const { home } = useAccount().texts;
  const { title, text } = home[name];
  return (
    <li className={styles.step}>
      <header className={styles.top}>
        <h2>{title}</h2>
        <Status status={isDone ? 'reached' : 'none'} label={isDone ? home.done : home.open} />
      </header>
      {result}
      {!isDone && !result && (
        <>
          <p>{text}</p>
          {children}
        </>
      )}
    </li>
  );
}

function KeyStep({ isDone, apiKey, onMade }: Pick<StepListProps, 'apiKey' | 'onMade'> & { isDone: boolean }) {
  const { texts, api, account } = useAccount();
  const reload = useReload();
  const { key } = texts.home;
  const make = useAction(async () => {
    const params = { path: { account: account.accountId } };
    const body = { name: key.name, mode: 'test' } as const;
    const made = await dataOf(api.POST('/accounts/{account}/keys', { params, body }));
    onMade(made.apiKey);
    reload('/accounts/{account}/checklist');
  });
  const shown = apiKey !== undefined && (
    <>
      <p role="status">{texts.shell.copyNow}</p>
      <Secret label={texts.keys.made.label} text={apiKey} />
    </>
  );
  return (
    <Step name="key" isDone={isDone || apiKey !== undefined} result={shown}>
      <Failure error={make.error} />
      <div>
        <Button aria-busy={make.isPending || undefined} onClick={() => make.run()}>
          {key.action}
        </Button>
      </div>
    </Step>
  );
}
