import { graphql, useStaticQuery } from 'gatsby';

/** The types of events that webhooks deliver, from the contract. */
export const useEventTypes = () =>
  useStaticQuery<QueryData<Queries.ConsoleEventsQuery>>(graphql`
    query ConsoleEvents {
      allContractEvent(sort: { position: ASC }) { nodes { eventType } }
    }
  `).allContractEvent.nodes.map(({ eventType }) => eventType);
