import type { LoggedRequest } from '@presenza/contract/console/types.d.ts';
import { Status } from '../../../../components/ui/status';
import { fill } from '../../../../fill';
import { CopiedId } from '../../parts/copied-id';
import { errorAddress } from '../../parts/error-address';
import { ExactTime } from '../../parts/exact-time';
import { Facts } from '../../parts/facts';
import { formatBytes, formatMs } from '../../parts/quantities';
import { useConsole } from '../../state/context';
import { isFailed, playgroundKeyId, useContract } from './request-data';
import * as styles from './requests.module.css';

interface RequestDetailsProps {
  request: LoggedRequest;
  keyName: string;
}

/** Everything that the log has about a request. */
export function RequestDetails({ request, keyName }: RequestDetailsProps) {
  const { requests: texts } = useConsole().texts;
  const { detail } = texts;
  const notes: Readonly<Record<string, string>> = texts.statuses;
  const { status, code, mode, keyId, requestBytes, responseBytes, apiVersion, stages } = request;
  return (
    <>
      {code !== undefined && <ErrorNote code={code} />}
      <div className={styles.facts}>
        <Facts
          facts={[
            [
              detail.status,
              <span key="status" className={styles.status}>
                <Status status={isFailed(request) ? 'missed' : 'reached'} label={String(status)} />
                {code === undefined && notes[status]}
              </span>,
            ],
            [detail.at, <ExactTime key="at" at={request.at} zone />],
            [detail.duration, formatMs(request.ms)],
            [detail.key, fill(detail.mode, { name: keyName, mode: texts.modes[mode] })],
            keyId !== playgroundKeyId && [detail.keyId, <CopiedId key="key" id={keyId} />],
            [detail.requestId, <CopiedId key="id" id={request.requestId} />],
            requestBytes !== undefined && [detail.requestBytes, formatBytes(requestBytes)],
            responseBytes !== undefined && [detail.responseBytes, formatBytes(responseBytes)],
            apiVersion !== undefined && [detail.apiVersion, apiVersion],
          ]}
        />
      </div>
      <section className={styles.timing}>
        <h3>{detail.timing}</h3>
        {stages ? <Stages stages={stages} ms={request.ms} /> : <p>{detail.noTiming}</p>}
        {stages && <p className={styles.note}>{detail.timingNote}</p>}
      </section>
    </>
  );
}

/** Title and advice of an error from the contract, and a link to more. */
function ErrorNote({ code }: { code: string }) {
  const { detail } = useConsole().texts.requests;
  const error = useContract().errorOf(code);
  const address = errorAddress(code);
  return (
    <div className={styles.error}>
      <p>
        <code>{code}</code>
        {error && ` ${error.title}`}
      </p>
      {error && <p>{error.advice}</p>}
      {address !== undefined && (
        <p>
          <a href={address}>{fill(detail.docs, { code })}</a>
        </p>
      )}
    </div>
  );
}

type Stages = NonNullable<LoggedRequest['stages']>;

/** Stages of this tier, one after the other; then those that the inference tier reports about its part. */
const outer = ['auth', 'read', 'meter', 'infer'] as const satisfies readonly (keyof Stages)[];
const inner = ['queue', 'decode', 'model'] as const satisfies readonly (keyof Stages)[];

function Stages({ stages, ms }: { stages: Stages; ms: number }) {
  const { stages: names, total } = useConsole().texts.requests.detail;
  const rest = ms - outer.reduce((sum, name) => sum + (stages[name] ?? 0), 0);
  const rows = outer.flatMap((name) => {
    const parts = name === 'infer' ? inner : [];
    return [
      { name, isInner: false, taken: stages[name] },
      ...parts.map((part) => ({ name: part, isInner: true, taken: stages[part] })),
    ];
  });
  return (
    <dl className={styles.stages}>
      {rows.map(
        ({ name, isInner, taken }) =>
          taken !== undefined && (
            <Stage key={name} label={names[name]} ms={taken} total={ms} isInner={isInner} />
          ),
      )}
      {/* Stages of a name add up even if they overlap, as those of several images. */}
      {rest > 0 && <Stage label={names.rest} ms={rest} total={ms} isInner={false} />}
      <Stage label={total} ms={ms} total={ms} isInner={false} />
    </dl>
  );
}

interface StageProps {
  label: string;
  ms: number;
  total: number;
  isInner: boolean;
}

const Stage = ({ label, ms, total, isInner }: StageProps) => (
  <div className={styles.stage} data-inner={isInner}>
    <dt>{label}</dt>
    <dd>
      <svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden>
        <rect className={styles.track} width="100" height="10" />
        <rect
          className={styles.bar}
          width={total === 0 ? 0 : Math.min(100, (100 * ms) / total)}
          height="10"
        />
      </svg>
      <span className={styles.amount}>{formatMs(ms)}</span>
    </dd>
  </div>
);
