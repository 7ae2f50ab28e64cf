/** The log of the account's requests, where the `requestLogUrl` of errors leads. */

import { navigate } from 'gatsby';
import Pause from 'lucide-react/dist/esm/icons/pause.mjs';
import Play from 'lucide-react/dist/esm/icons/play.mjs';
import { useMemo, useRef, useState } from 'react';
import { Button, ButtonLink } from '../../../../components/ui/button';
import { fill } from '../../../../fill';
import { Loaded } from '../../parts/loaded';
import { Message } from '../../parts/message';
import { Page } from '../../parts/page';
import { Pager } from '../../parts/pager';
import { useAddressQuery } from '../../state/address';
import { useAccount } from '../../state/context';
import { exportAddress } from './export-address';
import { MissingRequest } from './missing-request';
import { useKeyNames } from './request-data';
import { filterNames, queryOf, valuesOf } from './request-filter';
import { RequestFilters } from './request-filters';
import { entryParameter } from './request-panel';
import { RequestTable } from './request-table';
import * as styles from './requests.module.css';
import { useRequests } from './use-requests';

export default function RequestsPage() {
  const { texts: all, account, apiUrl, may } = useAccount();
  const texts = all.requests;
  const path = { account: account.accountId };
  const [address, change] = useAddressQuery();
  const values = valuesOf(address);
  const filterText = JSON.stringify(values);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the time of a range is that of the choice
  const filter = useMemo(() => queryOf(values, Date.now()), [filterText]);
  const { keys, nameOfKey } = useKeyNames();
  const [isPaused, setPaused] = useState(false);
  const list = useRef<HTMLDivElement>(null);
  const log = useRequests(filter, {
    // A filter that ends in the past has no new requests.
    isFollowing: !isPaused && filter.to === undefined,
    isRead: () => {
      const rows = list.current;
      if (!rows) return false;
      const isBelowTop = rows.getBoundingClientRect().top < 0;
      return (
        address.has(entryParameter) ||
        isBelowTop ||
        rows.matches(':hover') ||
        rows.contains(document.activeElement)
      );
    },
  });
  const isFiltered = filterNames.some((name) => values[name] !== '');
  return (
    <Page
      title={texts.title}
      lead={texts.lead}
      actions={
        <>
          {log.place.after === undefined && filter.to === undefined && (
            <Button variant="secondary" onClick={() => setPaused(!isPaused)}>
              {isPaused ? <Play aria-hidden size={16} /> : <Pause aria-hidden size={16} />}
              {isPaused ? texts.live.resume : texts.live.pause}
            </Button>
          )}
          {may('requestsExport') && (
            <ButtonLink variant="secondary" to={exportAddress(apiUrl, { path, query: filter })} download>
              {texts.csv}
            </ButtonLink>
          )}
        </>
      }
    >
      <RequestFilters values={values} keys={keys} onChange={change} />
      <Loaded query={log.query}>
        {() => (
          <div className={styles.rows}>
            <Follow isPaused={isPaused} log={log} isOver={filter.to !== undefined} />
            <div ref={list}>
              {log.requests && log.requests.length > 0 ? (
                <RequestTable
                  requests={log.requests}
                  path="/accounts/{account}/requests/{request}"
                  account={account.accountId}
                  nameOfKey={nameOfKey}
                />
              ) : values.requestId && Object.keys(filter).length === 1 ? (
                <MissingRequest requestId={values.requestId} />
              ) : isFiltered ? (
                <Message text={texts.noneOfFilter} />
              ) : (
                <Message
                  text={texts.none}
                  {...(may('playgroundDetect') && {
                    action: texts.noneAction,
                    onAction: () => void navigate('/console/playground'),
                  })}
                />
              )}
            </div>
            <Pager place={log.place} next={log.next} />
          </div>
        )}
      </Loaded>
    </Page>
  );
}

interface FollowProps {
  isPaused: boolean;
  /** Whether the filter ends in the past. */
  isOver: boolean;
  log: ReturnType<typeof useRequests>;
}

/** Whether new requests appear, and a button that shows those that wait. */
function Follow({ isPaused, isOver, log }: FollowProps) {
  const { live } = useAccount().texts.requests;
  const count = log.held.length;
  // The button stays while it has the focus, which it would lose with the last request that waits.
  const [isKept, setKept] = useState(false);
  const show = () => {
    setKept(true);
    log.showHeld();
  };
  if (isOver || log.place.after !== undefined) return null;
  return (
    <div className={styles.follow}>
      <p data-paused={isPaused} className={styles.state}>
        <span className={styles.word}>{isPaused ? live.paused : live.following}</span>
        {!isPaused && count === 0 && !isKept && ` ${live.hint}`}
      </p>
      <span role="status" className="visually-hidden">
        {count > 0 && live.waiting}
      </span>
      {(count > 0 || isKept) && (
        <Button variant="secondary" aria-disabled={count === 0} onClick={show} onBlur={() => setKept(false)}>
          {count === 0 ? live.none : log.isGap ? live.many : fill(live.newer, { count })}
        </Button>
      )}
    </div>
  );
}
