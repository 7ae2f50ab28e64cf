/** The head of a table. */
export const Headings = ({
  words,
  className,
}: {
  words: readonly string[];
  className?: string | undefined;
}) => (
  <thead>
    <tr className={className}>
      {words.map((heading, position) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the columns are static, and headings may repeat.
        <th key={position} scope="col">
          {heading}
        </th>
      ))}
    </tr>
  </thead>
);
