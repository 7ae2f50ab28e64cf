/** The head of a table. */
export const Headings = ({
  labels,
  className,
}: {
  labels: readonly string[];
  className?: string | undefined;
}) => (
  <thead>
    <tr className={className}>
      {labels.map((heading, position) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the columns are static, and headings may repeat.
        <th key={position} scope="col">
          {heading}
        </th>
      ))}
    </tr>
  </thead>
);
