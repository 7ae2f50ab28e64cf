import type { WebhookEventType } from '@presenza/contract/console/types.d.ts';
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
  const sessionEvents = typesOf(allContractEvent.nodes);
  return { sessionEvents, all: [...sessionEvents, ...typesOf(allContractAccountEvent.nodes)] };
}

const typesOf = (nodes: readonly { readonly eventType: string }[]) =>
  nodes.map(({ eventType }) => eventType as WebhookEventType);
