import { Button } from '../../../../components/ui/button';
import { Loaded } from '../../parts/loaded';
import { Failure } from '../../parts/message';
import { Block } from '../../parts/page';
import { RowButton } from '../../parts/row-button';
import { Table } from '../../parts/table';
import { Time } from '../../parts/time';
import { dataOf } from '../../state/api';
import { useConsole } from '../../state/context';
import { useAction, useData } from '../../state/queries';

/** The browsers that are signed in. */
export function SignIns() {
  const { texts, api } = useConsole();
  const { signIns: text } = texts.profile;
  const list = useData('/profile/sign-ins', {});
  const end = useAction(async (signInId: string) => {
    await dataOf(api.DELETE('/profile/sign-ins/{signInId}', { params: { path: { signInId } } }));
    void list.refetch();
  });
  const endOthers = useAction(async () => {
    await dataOf(api.DELETE('/profile/sign-ins'));
    void list.refetch();
  });
  return (
    <Block title={text.title}>
      <p>{text.text}</p>
      <Failure error={end.error ?? endOthers.error} />
      <Loaded query={list}>
        {({ signIns }) => (
          <Table label={text.title} columns={[text.startedAt, text.browser, text.actions]}>
            {signIns.map(({ signInId, startedAt, isThis }) => (
              <tr key={signInId}>
                <th scope="row">
                  <Time at={startedAt} />
                </th>
                <td>{isThis ? text.this : text.other}</td>
                <td>
                  {!isThis && (
                    <RowButton label={text.end} row={startedAt} onClick={() => end.run(signInId)} />
                  )}
                </td>
              </tr>
            ))}
          </Table>
        )}
      </Loaded>
      <Button variant="secondary" onClick={() => endOthers.run()}>
        {text.endOthers}
      </Button>
    </Block>
  );
}
