import type { Endpoint } from '@presenza/contract/console/types.d.ts';
import { Status } from '../../../../components/ui/status';
import { Loaded } from '../../parts/loaded';
import { Failure, Message } from '../../parts/message';
import { RowButton } from '../../parts/row-button';
import { Table } from '../../parts/table';
import { dataOf } from '../../state/api';
import { useConsole } from '../../state/context';
import { useAction, useData } from '../../state/queries';
import * as styles from './operator.module.css';
import type { PartProps } from './part-props';

export function AccountWebhooks({ account }: PartProps) {
  const { texts, api } = useConsole();
  const { webhooks: text, account: names } = texts.operator;
  const { modes, types } = texts.webhooks;
  const path = { account: account.accountId };
  const webhooks = useData('/operator/accounts/{account}/webhooks', { path });
  const toggle = useAction(async ({ webhookId, disabledAt }: Endpoint) => {
    const params = { path: { ...path, webhook: webhookId } };
    await dataOf(
      disabledAt === undefined
        ? api.POST('/operator/accounts/{account}/webhooks/{webhook}/disable', { params })
        : api.POST('/operator/accounts/{account}/webhooks/{webhook}/enable', { params }),
    );
    void webhooks.refetch();
  });
  return (
    <>
      <Failure error={toggle.error} />
      <Loaded query={webhooks}>
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
                        row={endpoint.url}
                        onClick={() => toggle.run(endpoint)}
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
