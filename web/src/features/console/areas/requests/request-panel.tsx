import type { LoggedRequest } from '@presenza/contract/console/types.d.ts';
import ChevronDown from 'lucide-react/dist/esm/icons/chevron-down.mjs';
import ChevronUp from 'lucide-react/dist/esm/icons/chevron-up.mjs';
import { Loaded } from '../../parts/loaded';
import { PanelButton, SidePanel } from '../../parts/side-panel';
import { useConsole } from '../../state/context';
import { useData } from '../../state/queries';
import { RequestDetails } from './request-details';

/** The parameter of the address that has the id of the entry whose details are open. */
export const entryParameter = 'entry';

/** The id of the link that opens an entry, which gets the focus back. */
export const rowId = (entryId: string): string => `request-${entryId}`;

export type EntryPath =
  | '/accounts/{account}/requests/{request}'
  | '/operator/accounts/{account}/requests/{request}';

interface EntryPanelProps {
  entryId: string;
  /** The rows beside the panel. */
  requests: readonly LoggedRequest[];
  path: EntryPath;
  account: string;
  nameOfKey(keyId: string): string;
  onOpen(entryId: string): void;
  onClose(): void;
}

export function EntryPanel({
  entryId,
  requests,
  path,
  account,
  nameOfKey,
  onOpen,
  onClose,
}: EntryPanelProps) {
  const { detail } = useConsole().texts.requests;
  const place = requests.findIndex((request) => request.entryId === entryId);
  const listed = requests[place];
  const entry = useData(path, { path: { account, request: entryId } }, { enabled: listed === undefined });
  const request = listed ?? entry.data;
  // The address may have any text.
  const isMissing = entry.error?.code === 'NOT_FOUND' || entry.error?.code === 'INVALID_PARAMETERS';
  const neighbor = (step: number) => {
    const other = place < 0 ? undefined : requests[place + step];
    return other && (() => onOpen(other.entryId));
  };
  return (
    <SidePanel
      title={<code>{request ? `${request.method} ${request.path}` : entryId}</code>}
      actions={
        <>
          <PanelButton label={detail.newer} onClick={neighbor(-1)}>
            <ChevronUp aria-hidden size={20} strokeWidth={1.5} />
          </PanelButton>
          <PanelButton label={detail.older} onClick={neighbor(1)}>
            <ChevronDown aria-hidden size={20} strokeWidth={1.5} />
          </PanelButton>
        </>
      }
      onClose={onClose}
      returnFocusTo={() => document.getElementById(rowId(entryId))}
    >
      {request ? (
        <RequestDetails request={request} keyName={nameOfKey(request.keyId)} />
      ) : isMissing ? (
        <p>{detail.missing}</p>
      ) : (
        <Loaded query={entry}>{() => null}</Loaded>
      )}
    </SidePanel>
  );
}
