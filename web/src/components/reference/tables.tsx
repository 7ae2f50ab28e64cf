/** The parts of the reference besides operations: <Events />, <Errors /> and so on in its content. */

import type { ComponentProps, ComponentType, ReactNode } from 'react';
import { fill } from '../../fill';
import { CodeTabs } from '../code/code-tabs';
import { MdxLink } from '../mdx/mdx';
import { Headings } from '../ui/headings';
import { Contents } from './contents';
import { Examples } from './examples';
import { ExtensionMark, FieldList, ParameterList } from './field-list';
import { Example, Operation, SessionCalls } from './operation';
import { usePart, useReference } from './reference-data';
import { Static } from './static';
import { anchorOf, Statuses } from './statuses';
import * as styles from './tables.module.css';

/** A resource's page within the page in full. */
function Part({ slug, children }: { slug: string; children: ReactNode }) {
  const { title, description } = usePart(slug);
  return (
    <>
      <h2 id={slug}>{title}</h2>
      <p>{description}</p>
      {children}
    </>
  );
}

/** The start of an address in another part, which may have an anchor. */
const OTHER_PART = /^\/docs\/api-reference\/(?:[a-z-]+#|(?=[a-z-]+$))/;

function Fields({ schema }: { schema: string }) {
  const definition = useReference().allContractSchema.nodes.find(({ name }) => name === schema);
  if (!definition) throw new Error(`Content names a schema that the page does not query: ${schema}.`);
  return (
    <div className={styles.narrow}>
      <FieldList fields={definition.members} kind="response" />
    </div>
  );
}

function Headers() {
  return (
    <div className={styles.narrow}>
      <ParameterList parameters={useReference().allContractHeader.nodes} kind="response" />
    </div>
  );
}

function WebhookHeaders() {
  return (
    <div className={styles.narrow}>
      <ParameterList parameters={useReference().allContractWebhookHeader.nodes} kind="response" />
    </div>
  );
}

function RateLimits() {
  const { allContractPlan, contentReference } = useReference();
  const { plan, burst, concurrency, burstValue } = contentReference.plans;
  return (
    <table>
      <Headings labels={[plan, burst, concurrency]} />
      <tbody>
        {allContractPlan.nodes.map(({ tier, displayName, limits }) => (
          <tr key={tier}>
            <td>{displayName}</td>
            <td>{fill(burstValue, limits.burst)}</td>
            <td>{limits.concurrency}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Events() {
  const { allContractWebhook, contentReference } = useReference();
  const { finalStatus: label, none } = contentReference.events;
  return (
    <ul className={styles.events}>
      {allContractWebhook.nodes.map(({ eventType, when, finalStatus }) => (
        <li key={eventType}>
          <code id={`event-${eventType.replace('.', '-')}`}>{eventType}</code>
          <p>{when}</p>
          <p className={styles.small}>
            {label}: {finalStatus ?? none}
          </p>
        </li>
      ))}
    </ul>
  );
}

function EventExamples() {
  const { allContractWebhook, contentReference } = useReference();
  const examples = allContractWebhook.nodes.flatMap(({ eventType, examples: eventExamples }) =>
    eventExamples.map(({ label, html }, position) => ({
      html,
      label: position === 0 ? eventType : `${eventType} · ${label}`,
    })),
  );
  return (
    <div className={styles.narrow}>
      <Examples heading={contentReference.headings.examples} examples={examples} />
    </div>
  );
}

/** The event of a passed check. */
function EventExample() {
  const { allContractWebhook } = useReference();
  const { eventType, examples } = allContractWebhook.nodes.find(({ carriesResult }) => carriesResult) ?? {};
  return (
    <div className={styles.narrow}>
      <Examples heading={eventType ?? ''} examples={(examples ?? []).slice(0, 1)} isOpen />
    </div>
  );
}

/** The statuses that an endpoint may respond with are the same for all events. */
function WebhookStatuses() {
  const [first] = useReference().allContractWebhook.nodes;
  return <div className={styles.narrow}>{first && <Statuses statuses={first.statuses} />}</div>;
}

function Receivers() {
  return <CodeTabs samples={useReference().allWebhookReceiver.nodes} />;
}

/** The first program of a client library. */
function FirstProgram({ client }: { client: string }) {
  const { html } = useReference().allClientProgram.nodes.find((program) => program.client === client) ?? {};
  if (!html) throw new Error(`Content names an unknown client: ${client}.`);
  // biome-ignore lint/security/noDangerouslySetInnerHtml: the build writes it from a README of the repository.
  return <div dangerouslySetInnerHTML={{ __html: html }} />;
}

function Errors() {
  const { allContractError, contentReference: texts } = useReference();
  return (
    <ul className={styles.errors}>
      {allContractError.nodes.map(({ code, status, message, advice, retryable, extension, reasons }) => (
        <li key={code} id={anchorOf(code)}>
          <p className={styles.head}>
            <code className={styles.codeName}>{code}</code>
            <span>{status}</span>
            <span>{retryable ? texts.retryable : texts.notRetryable}</span>
            {extension && <ExtensionMark />}
          </p>
          <p>{message}</p>
          <p className={styles.small}>{advice}</p>
          {reasons.length > 0 && (
            <details>
              <summary>{texts.headings.reasons}</summary>
              <dl>
                {reasons.map((reason) => (
                  <div key={reason.name}>
                    <dt>
                      <code>{reason.name}</code>
                    </dt>
                    <dd>{withVariables(reason.message)}</dd>
                  </div>
                ))}
              </dl>
            </details>
          )}
        </li>
      ))}
    </ul>
  );
}

/** Variables of a message in italics: `The field {field} is required.` */
const withVariables = (message: string) =>
  message.split(/\{(\w+)\}/).map((part, position) => (position % 2 ? <var key={part}>{part}</var> : part));

const asStatic = <Props extends object>(Part: ComponentType<Props>) =>
  function StaticPart(props: Props) {
    return (
      <Static>
        <Part {...props} />
      </Static>
    );
  };

/** The components that the reference's content may use. */
export const COMPONENTS = {
  Contents: asStatic(Contents),
  Errors: asStatic(Errors),
  EventExample: asStatic(EventExample),
  EventExamples: asStatic(EventExamples),
  Events: asStatic(Events),
  Example,
  Fields: asStatic(Fields),
  FirstProgram: asStatic(FirstProgram),
  Headers: asStatic(Headers),
  Operation,
  Part,
  RateLimits: asStatic(RateLimits),
  Receivers,
  SessionCalls: asStatic(SessionCalls),
  WebhookHeaders: asStatic(WebhookHeaders),
  WebhookStatuses: asStatic(WebhookStatuses),
};

/** Those of the page in full, where the headings of a part are one level down and links to other parts stay. */
export const FULL_COMPONENTS = {
  ...COMPONENTS,
  h2: (props: ComponentProps<'h3'>) => <h3 {...props} />,
  a: ({ href = '', ...rest }: ComponentProps<'a'>) => (
    <MdxLink href={href.replace(OTHER_PART, '#')} {...rest} />
  ),
};
