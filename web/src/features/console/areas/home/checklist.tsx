import { Link } from 'gatsby';
import type { ReactNode } from 'react';
import { Button } from '../../../../components/ui/button';
import { Status } from '../../../../components/ui/status';
import { fill } from '../../../../fill';
import { Failure } from '../../parts/message';
import { Secret } from '../../parts/secret';
import { useAccount } from '../../state/context';
import { useAction } from '../../state/use-call';
import * as styles from './home.module.css';

/** The steps that the account has taken. */
export interface Steps {
  readonly key: boolean;
  readonly call: boolean;
  readonly webhook: boolean;
  readonly liveness: boolean;
}

interface StepListProps {
  steps: Steps;
  /** The key that was just made. */
  apiKey: string | undefined;
  onMade(apiKey: string): void;
  onChange(): void;
}

export function StepList({ steps, apiKey, onMade, onChange }: StepListProps) {
  const { words, api } = useAccount();
  const { call, webhook, liveness, keyPlaceholder } = words.home;
  const key = apiKey ?? keyPlaceholder;
  const hint = apiKey === undefined && <p>{fill(call.withKey, { placeholder: keyPlaceholder })}</p>;
  return (
    <ol className={styles.steps}>
      <KeyStep isDone={steps.key} apiKey={apiKey} onMade={onMade} onChange={onChange} />
      <Step name="call" isDone={steps.call}>
        {hint}
        <Secret label={call.command} text={detectCommand(api.url, key)} />
      </Step>
      <Step name="webhook" isDone={steps.webhook}>
        <p>
          <Link to="/console/webhooks">{webhook.action}</Link>
        </p>
      </Step>
      <Step name="liveness" isDone={steps.liveness}>
        {hint}
        <Secret label={liveness.command} text={livenessCommand(api.url, key)} />
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
const detectCommand = (api: string, key: string) =>
  [
    `curl -s ${window.location.origin}/test-images/face.png |`,
    `curl -si ${api}/detect`,
    `-H "Authorization: Bearer ${key}"`,
    '-H "Content-Type: image/png" --data-binary @-',
  ].join(newLine);

const livenessCommand = (api: string, key: string) =>
  [
    `curl -si ${api}/liveness`,
    `-H "Authorization: Bearer ${key}"`,
    `-H "Content-Type: application/json" -d '{"testOutcome": "live"}'`,
  ].join(newLine);

interface StepProps {
  name: keyof Steps;
  isDone: boolean;
  /** In place of the text and the children. */
  result?: ReactNode;
  /** Shown while the step is open. */
  children: ReactNode;
}

function Step({ name, isDone, result, children }: StepProps) {
  const { home } = useAccount().words;
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

function KeyStep({
  isDone,
  apiKey,
  onMade,
  onChange,
}: Pick<StepListProps, 'apiKey' | 'onMade' | 'onChange'> & { isDone: boolean }) {
  const { words, api, account } = useAccount();
  const { key } = words.home;
  const make = useAction(async () => {
    const body = { name: key.name, mode: 'test' };
    const made = await api.call<{ apiKey: string }>('POST', `/accounts/${account.accountId}/keys`, body);
    onMade(made.apiKey);
    onChange();
  });
  const shown = apiKey !== undefined && (
    <>
      <p role="status">{words.shell.copyNow}</p>
      <Secret label={words.keys.made.label} text={apiKey} />
    </>
  );
  return (
    <Step name="key" isDone={isDone || apiKey !== undefined} result={shown}>
      <Failure error={make.error} />
      <div>
        <Button aria-busy={make.isBusy || undefined} onClick={() => void make.run()}>
          {key.action}
        </Button>
      </div>
    </Step>
  );
}
