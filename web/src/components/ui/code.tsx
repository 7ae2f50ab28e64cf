import { type ComponentProps, Fragment } from 'react';

/** Inline code that may break after a slash, an underscore or a sign: paths and names are longer than a column. */
export function Code({ children, ...rest }: ComponentProps<'code'>) {
  const parts = typeof children === 'string' ? children.match(/.*?[a-z0-9][/_@=,]+(?=.)|.+/gis) : null;
  if (!parts) return <code {...rest}>{children}</code>;
  return (
    <code {...rest}>
      {parts.map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a name keep their order.
        <Fragment key={index}>
          {index > 0 && <wbr />}
          {part}
        </Fragment>
      ))}
    </code>
  );
}
