import { graphql, useStaticQuery } from 'gatsby';

/** The types of events that webhooks deliver, from the contract: those of sessions, and those of accounts. */
export function useEventTypes() {
  const { allContractEvent, allContractAccountEvent } = useStaticQuery<QueryData<Queries.ConsoleEventsQuery>>(
    graphql`
      query ConsoleEvents {
        allContractEvent(sort: { position: ASC }) { nodes { eventType } }
        allContractAccountEvent(sort: { position: ASC }) { nodes { eventType } }
      }
    `,
  );
  const ofSessions = allContractEvent.nodes.map(({ eventType }) => eventType);
  const ofAccounts = allContractAccountEvent.nodes.map(({ eventType }) => eventType);
  return { ofSessions, all: [...ofSessions, ...ofAccounts] };
}
