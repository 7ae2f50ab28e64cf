/** Seals and opens the private parts of a session: its data key with the service's key, the rest with the data key. */
import type { Vault } from '../../../crypto/vault';
import { DataKey } from './data-key';
import { foremostReason } from './foremost-reason';
import type {
  Explanation,
  Redirect,
  SealedDetails,
  Session,
  SessionDetails,
  SessionOutcome,
  SessionRecord,
} from './session';
import { defaultPolicy } from './session-policy';

type Part = 'details' | 'outcome' | 'explanation' | 'redirect' | 'reference';
type Keyed = Pick<Session, 'id' | 'key'>;

const place = (sessionId: string, part: Part) => `${sessionId}/${part}`;
const keyPlace = (accountId: string, sessionId: string) => `${accountId}/${sessionId}`;

/** Limit of one explanation as JSON. Longer verdicts are left out. */
const maxVerdictBytes = 16 * 1024;

export interface NewParts {
  readonly accountId: string;
  readonly id: string;
  readonly details: SessionDetails;
  readonly reference?: Buffer | undefined;
}

export class SealedParts {
  constructor(private readonly vault: Vault) {}

  /** Returns the sealed fields of a new session. */
  sealNew({ accountId, id, details, reference }: NewParts) {
    const key = DataKey.create();
    return {
      dataKey: this.vault.seal(key.toText(), keyPlace(accountId, id)),
      details: key.sealValue(details, place(id, 'details')),
      ...(reference && { reference: key.seal(reference, place(id, 'reference')) }),
    };
  }

  /** @throws Error if it was sealed with another KEY_SECRET */
  openDetails(record: SealedDetails): SessionDetails {
    return this.keyOf(record).openValue(record.details, place(record.id, 'details')) as SessionDetails;
  }

  /** @throws Error if it was sealed with another KEY_SECRET */
  open(record: SessionRecord): Session {
    const { dataKey: _, details, outcome, explanation, redirect, ...state } = record;
    const { id } = state;
    const key = this.keyOf(record);
    const open = (part: Part, sealed: string | undefined) =>
      sealed === undefined ? undefined : key.openValue(sealed, place(id, part));
    const { result, match } = (open('outcome', outcome) ?? {}) as Partial<SessionOutcome>;
    const entries = (open('explanation', explanation) ?? []) as Explanation[];
    const judged = entries.at(-1);
    const opened = open('details', details) as SessionDetails;
    const next = open('redirect', redirect) as Redirect | undefined;
    const reason = foremostReason(entries.map(({ failureReason }) => failureReason));
    return {
      ...state,
      ...opened,
      policy: opened.policy ?? defaultPolicy,
      ...(state.status === 'completed' && { ...(result && { result }), ...(match && { match }) }),
      ...(state.status === 'failed' && reason && { failureReason: reason }),
      ...(next?.status === state.status && { redirectUrl: next.url }),
      ...(judged && { judged }),
      explanation: entries,
      key,
    };
  }

  private keyOf({ accountId, id, dataKey }: SealedDetails): DataKey {
    return DataKey.parse(this.vault.open(dataKey, keyPlace(accountId, id)));
  }

  openReference({ id, key }: Keyed, sealed: Buffer): Buffer {
    return key.open(sealed, place(id, 'reference'));
  }

  sealOutcome({ id, key }: Keyed, outcome: SessionOutcome): string {
    return key.sealValue(outcome, place(id, 'outcome'));
  }

  sealRedirect(record: SealedDetails, redirect: Redirect): string {
    return this.keyOf(record).sealValue(redirect, place(record.id, 'redirect'));
  }

  /** @param entries of all attempts with a verdict, oldest first. */
  sealExplanation({ id, key }: Keyed, entries: readonly Explanation[]): string {
    return key.sealValue(entries.map(withinLimit), place(id, 'explanation'));
  }
}

function withinLimit(entry: Explanation): Explanation {
  const isLong = Buffer.byteLength(JSON.stringify(entry.verdict) ?? '') > maxVerdictBytes;
  return isLong ? { ...entry, verdict: null } : entry;
}
