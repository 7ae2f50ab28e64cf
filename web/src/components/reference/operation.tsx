/** One operation of the contract: what it takes and gives in words, and beside them the code. */
import { CodeTabs } from '../code/code-tabs';
import { Examples } from './examples';
import { ExtensionMark, FieldList, ParameterList } from './field-list';
import * as styles from './operation.module.css';
import { useReference } from './reference-context';
import { Statuses } from './statuses';
import type { Body, Operation as OperationData } from './types';

export function Operation({ id }: { id: string }) {
  const operation = useOperation(id);
  const { contentReference: words } = useReference();
  const { anchor, summary, extension, samples, answer, request } = operation;
  return (
    <section className={styles.operation} aria-labelledby={anchor}>
      <div className={styles.text}>
        <h3 id={anchor}>
          {summary} {extension && <ExtensionMark />}
        </h3>
        <OperationDetails operation={operation} />
      </div>
      <div className={styles.code}>
        {samples.length > 0 && <CodeTabs samples={samples} />}
        <Examples
          heading={words.headings.answers}
          examples={answer.flatMap(({ examples }) => examples)}
          isOpen
        />
        <Examples heading={words.headings.examples} examples={request.flatMap(({ examples }) => examples)} />
      </div>
    </section>
  );
}

/** The calls of the hosted page: closed, since hardly anyone makes them. */
export function SessionCalls() {
  const { allContractOperation, contentReference: words } = useReference();
  return allContractOperation.nodes
    .filter(({ isSessionCall }) => isSessionCall)
    .map((operation) => (
      <details key={operation.operationId} className={styles.call} id={operation.anchor}>
        <summary>
          <Endpoint operation={operation} />
          <span>{operation.summary}</span>
        </summary>
        <OperationDetails operation={operation} />
        <Examples
          heading={words.headings.answers}
          examples={operation.answer.flatMap(({ examples }) => examples)}
        />
        <Examples
          heading={words.headings.examples}
          examples={operation.request.flatMap(({ examples }) => examples)}
        />
      </details>
    ));
}

function OperationDetails({ operation }: { operation: OperationData }) {
  const { contentReference: words } = useReference();
  const { headings } = words;
  const { description, auth, maxBody, parameters, requestDescription, request, answer, statuses } = operation;
  return (
    <>
      <p className={styles.endpoint}>
        <Endpoint operation={operation} />
      </p>
      <p>{description}</p>
      <p className={styles.facts}>
        <span>
          {words.auth.label}: {auth.join(' / ')}
        </span>
        {maxBody && <span>{maxBody}</span>}
      </p>
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
      <Bodies bodies={answer} kind="answer" />
      <h4>{headings.statuses}</h4>
      <Statuses statuses={statuses} />
    </>
  );
}

/** JSON first and open; whatever else is possible below it. */
function Bodies({ bodies, kind }: { bodies: Body[]; kind: 'request' | 'answer' }) {
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

function BodyContent({ body, kind }: { body: Body; kind: 'request' | 'answer' }) {
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
  if (!found) throw new Error(`Content names an operation that the contract lacks: ${id}.`);
  return found;
}
