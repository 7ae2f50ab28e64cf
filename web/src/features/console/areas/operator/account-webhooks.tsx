import { Status } from '../../../../components/ui/status';
import { Loaded } from '../../parts/loaded';
import { Failure, Message } from '../../parts/message';
import { RowButton } from '../../parts/row-button';
import { Table } from '../../parts/table';
import { useConsole } from '../../state/context';
import { useAction, useData } from '../../state/use-call';
import type { Endpoint } from '../webhooks/endpoint-data';
import * as styles from './operator.module.css';
import { type PartProps, pathOf } from './operator-data';

export function AccountWebhooks({ account }: PartProps) {
  const { words, api } = useConsole();
  const { webhooks: text, account: names } = words.operator;
  const { modes, types } = words.webhooks;
  const path = `${pathOf(account.accountId)}/webhooks`;
  const webhooks = useData<readonly Endpoint[]>(path);
  const toggle = useAction(async ({ webhookId, disabledAt }: Endpoint) => {
    await api.call('POST', `${path}/${webhookId}/${disabledAt === undefined ? 'disable' : 'enable'}`, {});
    webhooks.reload();
  });
  return (
    <>
      <Failure error={toggle.error} />
      <Loaded of={webhooks}>
        {(list) =>
          list.length === 0 ? (
            <Message text={text.none} />
          ) : (
            <Table
              label={names.parts.webhooks}
              columns={[text.url, text.state, text.mode, text.type, text.actions]}
            >
              {list.map((endpoint) => {
                const isOn = endpoint.disabledAt === undefined;
                return (
                  <tr key={endpoint.webhookId}>
                    <th scope="row" className={styles.name}>
                      {endpoint.url}
                    </th>
                    <td>
                      <Status
                        status={isOn ? 'reached' : 'missed'}
                        label={isOn ? text.enabled : text.disabled}
                      />
                    </td>
                    <td>{modes[endpoint.mode]}</td>
                    <td>{types[endpoint.type]}</td>
                    <td>
                      <RowButton
                        label={isOn ? text.disable : text.enable}
                        of={endpoint.url}
                        onClick={() => void toggle.run(endpoint)}
                      />
                    </td>
                  </tr>
                );
              })}
            </Table>
          )
        }
      </Loaded>
    </>
  );
}
