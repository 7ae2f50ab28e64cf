/** Fields as a list, which also suits narrow screens. Nested fields open below their parent. */
import * as styles from './field-list.module.css';
import { type Field, type Parameter, useReference } from './reference-data';

interface FieldListProps {
  fields: readonly Field[];
  /** Responses mark optional fields, requests also required ones. */
  kind: 'request' | 'response';
}

export function FieldList({ fields, kind }: FieldListProps) {
  const texts = useReference().contentReference;
  return (
    <ul className={styles.fields}>
      {withChildren(fields).map(({ field, children }) => (
        <li key={field.path}>
          <FieldEntry field={field} kind={kind} />
          {children.length > 0 && (
            <details className={styles.children} open={field.depth === 0}>
              <summary>{texts.moreFields.replace('{name}', field.name)}</summary>
              <FieldList fields={children} kind={kind} />
            </details>
          )}
        </li>
      ))}
    </ul>
  );
}

/** Parameters and headers, which have no nested fields. */
export function ParameterList({
  parameters,
  kind,
}: Pick<FieldListProps, 'kind'> & { parameters: readonly Parameter[] }) {
  return (
    <ul className={styles.fields}>
      {parameters.map((parameter) => (
        <li key={parameter.name}>
          <FieldEntry field={parameter} kind={kind} />
        </li>
      ))}
    </ul>
  );
}

function FieldEntry({ field, kind }: Pick<FieldListProps, 'kind'> & { field: Parameter }) {
  const { contentReference: texts } = useReference();
  const { name, place, type, required, extension, description, bounds, values, example } = field;
  return (
    <>
      <p className={styles.head}>
        <code>{name}</code>
        <span>{[place, type, ...bounds].filter(Boolean).join(', ')}</span>
        {required && kind === 'request' && <span className={styles.required}>{texts.required}</span>}
        {!required && <span>{texts.optional}</span>}
        {extension && <ExtensionMark />}
      </p>
      <p>{description}</p>
      {values.length > 0 && (
        <p className={styles.values}>
          {values.length > 1 ? texts.values : texts.constant}{' '}
          {values.map((value) => [<code key={value}>{value}</code>, ' '])}
        </p>
      )}
      {example && (
        <p className={styles.values}>
          {texts.headings.example} <code>{example}</code>
        </p>
      )}
    </>
  );
}

export function ExtensionMark() {
  const { contentReference: texts } = useReference();
  return (
    <span className={styles.extension} title={texts.extensionNote}>
      {texts.extension}
    </span>
  );
}

/** Each top-level field with its descendants. */
function withChildren(fields: readonly Field[]): { field: Field; children: Field[] }[] {
  const groups: { field: Field; children: Field[] }[] = [];
  for (const field of fields) {
    const last = groups[groups.length - 1];
    if (last && field.depth > last.field.depth) last.children.push(field);
    else groups.push({ field, children: [] });
  }
  return groups;
}
