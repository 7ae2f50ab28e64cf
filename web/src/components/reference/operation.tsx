/** One operation of the contract: its description beside samples and examples. */
import { CodeTabs } from '../code/code-tabs';
import { Examples } from './examples';
import { ExtensionMark, FieldList, ParameterList } from './field-list';
import * as styles from './operation.module.css';
import { type Body, type Operation as OperationData, useReference } from './reference-data';
import { Static } from './static';
import { Statuses } from './statuses';

export function Operation({ id }: { id: string }) {
  const operation = useOperation(id);
  const { anchor, summary, extension, samples } = operation;
  return (
    <section className={styles.operation} aria-labelledby={anchor}>
      <Static className={styles.text}>
        <h3 id={anchor}>
          {summary} {extension && <ExtensionMark />}
        </h3>
        <OperationIntro operation={operation} />
      </Static>
      <div className={styles.code}>
        {samples.length > 0 && <CodeTabs samples={samples} />}
        <Static className={styles.examples}>
          <OperationExamples operation={operation} isOpen />
        </Static>
      </div>
      <Static className={styles.text}>
        <OperationDetails operation={operation} />
      </Static>
    </section>
  );
}

/** The calls of the hosted page, closed by default: few readers make them. */
export function SessionCalls() {
  return useReference()
    .allContractOperation.nodes.filter(({ isSessionCall }) => isSessionCall)
    .map((operation) => (
      <details key={operation.operationId} className={styles.call} id={operation.anchor}>
        <summary>
          <Endpoint operation={operation} />
          <span>{operation.summary}</span>
        </summary>
        <OperationIntro operation={operation} />
        <OperationDetails operation={operation} />
        <OperationExamples operation={operation} />
      </details>
    ));
}

function OperationExamples({ operation, isOpen }: { operation: OperationData; isOpen?: boolean }) {
  const { headings } = useReference().contentReference;
  const { request, response } = operation;
  return (
    <>
      <Examples heading={headings.responses} examples={response.flatMap(examplesOf)} isOpen={isOpen} />
      <Examples heading={headings.examples} examples={request.flatMap(examplesOf)} />
    </>
  );
}

const examplesOf = ({ examples }: Body) => examples;

function OperationIntro({ operation }: { operation: OperationData }) {
  const { contentReference: words } = useReference();
  const { description, auth, maxBody, isSessionCall } = operation;
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
          {words.auth.label}: {auth.join(' / ')}
        </span>
        {maxBody && <span>{maxBody}</span>}
      </p>
    </>
  );
}

function OperationDetails({ operation }: { operation: OperationData }) {
  const { headings } = useReference().contentReference;
  const { parameters, requestDescription, request, response, statuses } = operation;
  return (
    <>
      {request.length > 0 && (
        <>
          <h4>{headings.request}</h4>
          <p className={styles.note}>{requestDescription}</p>
          <Bodies bodies={request} kind="request" />
        </>
      )}
      {parameters.length > 0 && (
        <>
          <h4>{headings.parameters}</h4>
          <ParameterList parameters={parameters} kind="request" />
        </>
      )}
      <h4>{headings.response}</h4>
      <Bodies bodies={response} kind="response" />
      <h4>{headings.statuses}</h4>
      <Statuses statuses={statuses} />
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

export function Endpoint({ operation }: { operation: OperationData }) {
  return (
    <code className={styles.path}>
      <span className={styles.method}>{operation.method}</span> {operation.path}
    </code>
  );
}

function useOperation(id: string): OperationData {
  const found = useReference().allContractOperation.nodes.find(({ operationId }) => operationId === id);
  if (!found) throw new Error(`The reference uses an operation that the contract lacks: ${id}.`);
  return found;
}
