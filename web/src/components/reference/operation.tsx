/** One operation of the contract: its description beside samples and examples. */
import { CodeTabs } from '../code/code-tabs';
import { Examples } from './examples';
import { ExtensionMark, FieldList, ParameterList } from './field-list';
import * as styles from './operation.module.css';
import { type Body, type Operation as OperationData, useOperation, useReference } from './reference-data';
import { Static } from './static';
import { Statuses } from './statuses';

export function Operation({ id }: { id: string }) {
  const operation = useOperation(id);
  const Heading = useReference().isFull ? 'h3' : 'h2';
  return (
    <section className={styles.operation} aria-labelledby={operation.anchor}>
      <Static className={styles.text}>
        <Heading id={operation.anchor}>{operation.summary}</Heading>
        <OperationIntro operation={operation} />
        <TryLink operation={operation} />
      </Static>
      <Exchange operation={operation} />
      <Static className={styles.details}>
        <OperationDetails operation={operation} />
      </Static>
    </section>
  );
}

/** The main operation of a section of the first page. */
export function Example({ id }: { id: string }) {
  const operation = useOperation(id);
  return (
    <section className={styles.example} aria-label={operation.summary}>
      <Static>
        <p className={styles.endpoint}>
          <Endpoint operation={operation} />
        </p>
        <TryLink operation={operation} />
      </Static>
      <Exchange operation={operation} isShort />
    </section>
  );
}

/** The request in the reader's language beside the response. */
function Exchange({ operation, isShort = false }: { operation: OperationData; isShort?: boolean }) {
  const { headings } = useReference().contentReference;
  const { response, samples } = operation;
  const responses = response.flatMap(examplesOf);
  return (
    <div className={styles.exchange}>
      {samples.length > 0 && <CodeTabs samples={samples} caption={headings.sample} />}
      <Static>
        <Examples
          heading={headings.responses}
          examples={isShort ? responses.slice(0, 1) : responses}
          isOpen
        />
      </Static>
    </div>
  );
}

/** Pages of the console that run an operation, by its id. */
const OTHER_PAGES: Readonly<Record<string, string>> = { createLivenessSession: 'sessions' };

/**
 * Links to the console's playground. Neither this page nor the API lets a browser send an API key: the page's policy
 * allows no requests to the API, and the API allows no pages to use keys.
 */
function TryLink({ operation }: { operation: OperationData }) {
  const { contentReference, playgroundOperations } = useReference();
  const texts = contentReference.playground;
  const name = playgroundOperations.find((candidate) => operation.path === `/${candidate}`);
  const page = name ? `playground?operation=${name}` : OTHER_PAGES[operation.operationId];
  if (!page) return null;
  return (
    <p className={styles.playground}>
      <a href={`/console/${page}`}>{texts.label}</a> <span>{texts.note}</span>
    </p>
  );
}

/** The calls of the hosted page, closed by default: few readers make them. */
export function SessionCalls() {
  const { allContractOperation, contentReference } = useReference();
  const { headings } = contentReference;
  return allContractOperation.nodes
    .filter(({ isSessionCall }) => isSessionCall)
    .map((operation) => (
      <details key={operation.operationId} className={styles.call} id={operation.anchor}>
        <summary>
          <Endpoint operation={operation} />
          <span>{operation.summary}</span>
        </summary>
        <OperationIntro operation={operation} />
        <Static className={styles.details}>
          <OperationDetails operation={operation} />
        </Static>
        <Examples heading={headings.responses} examples={operation.response.flatMap(examplesOf)} />
      </details>
    ));
}

const examplesOf = ({ examples }: Body) => examples;

function OperationIntro({ operation }: { operation: OperationData }) {
  const { contentReference: texts } = useReference();
  const { description, auth, maxBody, isSessionCall, extension } = operation;
  return (
    <>
      {!isSessionCall && (
        <p className={styles.endpoint}>
          <Endpoint operation={operation} />
        </p>
      )}
      <p>{description}</p>
      <p className={styles.facts}>
        <span>
          {texts.auth.label}: {auth.join(' / ')}
        </span>
        {maxBody && <span>{maxBody}</span>}
        {extension && <ExtensionMark />}
      </p>
    </>
  );
}

/** The parts of the request beside the fields of the response. */
function OperationDetails({ operation }: { operation: OperationData }) {
  const { contentReference, isFull } = useReference();
  const { headings } = contentReference;
  const Heading = isFull ? 'h4' : 'h3';
  const { parameters, requestDescription, request, response, statuses } = operation;
  return (
    <>
      <div>
        {request.length > 0 && (
          <>
            <Heading>{headings.request}</Heading>
            <p className={styles.note}>{requestDescription}</p>
            <Bodies bodies={request} kind="request" />
            <Examples heading={headings.examples} examples={request.flatMap(examplesOf)} />
          </>
        )}
        {parameters.length > 0 && (
          <>
            <Heading>{headings.parameters}</Heading>
            <ParameterList parameters={parameters} kind="request" />
          </>
        )}
        <Heading>{headings.statuses}</Heading>
        <Statuses statuses={statuses} />
      </div>
      <div>
        <Heading>{headings.response}</Heading>
        <Bodies bodies={response} kind="response" />
      </div>
    </>
  );
}

/** JSON first and open, other media types closed below it. */
function Bodies({ bodies, kind }: { bodies: readonly Body[]; kind: 'request' | 'response' }) {
  const [first, ...others] = bodies;
  return (
    <>
      {first && <BodyContent body={first} kind={kind} />}
      {others.map((body) => (
        <details key={body.type} className={styles.media}>
          <summary>
            <code>{body.type}</code> {body.extension && <ExtensionMark />}
          </summary>
          <BodyContent body={body} kind={kind} />
        </details>
      ))}
    </>
  );
}

function BodyContent({ body, kind }: { body: Body; kind: 'request' | 'response' }) {
  return body.description ? (
    <p>{body.description}</p>
  ) : (
    body.fields.length > 0 && <FieldList fields={body.fields} kind={kind} />
  );
}

function Endpoint({ operation }: { operation: OperationData }) {
  return (
    <code className={styles.path}>
      <span className={styles.method}>{operation.method}</span> {operation.path}
    </code>
  );
}
