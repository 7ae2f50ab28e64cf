/** All claims of the site with evidence and status, the numbers of the contract, and withdrawn claims. */
import { graphql, type PageProps } from 'gatsby';
import { Claim, Numbers } from '../components/claims/claim';
import * as styles from '../components/claims/claims.module.css';
import { TitledList } from '../components/marketing/titled-list';
import { headOf } from '../components/page-head/page-head';
import { ButtonLink } from '../components/ui/button';
import { PageIntro } from '../components/ui/page-intro';
import { Section } from '../components/ui/section';
import { Status } from '../components/ui/status';

type Data = QueryData<Queries.ClaimsPageQuery>;

export default function ClaimsPage({ data }: PageProps<Data>) {
  const { contentClaims, contentConstants, contractLimits } = data;
  const { heading, lead, labels, states, groups, contract, constants, withdrawn, rules } = contentClaims;
  const labelOf = (id: string) =>
    groups.flatMap(({ claims }) => claims).find(({ claimId }) => claimId === id)?.label ?? id;
  return (
    <>
      <PageIntro heading={heading} lead={lead} />
      <dl className={styles.states}>
        {states.map(({ name, label, text }) => (
          <div key={name}>
            <dt>
              <Status status={name} label={label} />
            </dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      {groups.map(({ groupId, heading: title, claims }) => (
        <Section key={groupId} id={groupId} heading={title}>
          {claims.map((claim) => (
            <Claim
              key={claim.claimId}
              {...claim}
              labels={labels}
              state={states.find(({ name }) => name === claim.status)?.label ?? claim.status}
            />
          ))}
        </Section>
      ))}
      <Section id="withdrawn" heading={withdrawn.heading} lead={withdrawn.lead}>
        <dl className={styles.withdrawn} data-source="withdrawn">
          {withdrawn.items.map(({ said, why }) => (
            <div key={said}>
              <dt>{said}</dt>
              <dd>{why}</dd>
            </div>
          ))}
        </dl>
      </Section>
      <Section id="rules" heading={rules.heading} lead={rules.lead}>
        <TitledList items={rules.items} />
      </Section>
      <Section id="contract" heading={contract.heading} lead={contract.lead}>
        <Numbers
          label={contract.label}
          rows={contractLimits.numbers.map(({ field, value }) => ({
            number: <span data-source="contract">{value}</span>,
            source: <code>{field}</code>,
          }))}
        />
        <p className={styles.more}>
          <ButtonLink to={contract.link.to} variant="secondary">
            {contract.link.label}
          </ButtonLink>
        </p>
      </Section>
      <Section id="constants" heading={constants.heading} lead={constants.lead}>
        <Numbers
          label={constants.label}
          rows={contentConstants.constants.map(({ says, source, claim, basis }) => ({
            number: says,
            source: claim ? <a href={`#${claim}`}>{labelOf(claim)}</a> : (basis ?? <code>{source}</code>),
          }))}
        />
      </Section>
    </>
  );
}

export const Head = headOf((data: Data) => data.contentClaims);

export const query = graphql`
  query ClaimsPage($id: String!) {
    contentClaims(id: { eq: $id }) {
      ...PageMeta heading lead
      labels { target measured command limit }
      states { name label text }
      groups {
        groupId heading
        claims {
          claimId label headline line details limit
          link { label to }
          status
          target { text }
          result { name measuredAt(formatString: "D MMMM YYYY") commit machine { cpu cores } }
        }
      }
      contract { heading lead label link { label to } }
      constants { heading lead label }
      withdrawn { heading lead items { said why } }
      rules { heading lead items { heading text } }
    }
    contentConstants { constants { says source claim basis } }
    contractLimits { numbers { field value } }
  }
`;
