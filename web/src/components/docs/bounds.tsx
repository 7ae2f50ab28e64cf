import table from '@presenza/contract/bounds.json';

interface Row {
  readonly per: string;
  readonly what: string;
  readonly value?: number;
  readonly unit?: string;
  readonly setting?: string;
  readonly then: string;
}

const headings = ['Per', 'Bound', 'Value', 'Variable', 'When reached'];

/** Every bound of the gateway, from the table that the gateway itself reads. */
export function Bounds() {
  return (
    <table>
      <thead>
        <tr>
          {headings.map((heading) => (
            <th key={heading} scope="col">
              {heading}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {Object.entries(table.bounds as Readonly<Record<string, Row>>).map(([name, row]) => (
          <tr key={name}>
            <td>{row.per}</td>
            <td>{row.what}</td>
            <td>{formatValue(row)}</td>
            <td>{row.setting && <code>{row.setting}</code>}</td>
            <td>{/^[A-Z_]+$/.test(row.then) ? <code>{row.then}</code> : row.then}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function formatValue({ value, unit }: Row): string {
  if (value === undefined) return 'By plan';
  if (unit === 'bytes') return value < 2 ** 20 ? `${value / 2 ** 10} KiB` : `${value / 2 ** 20} MiB`;
  return [value.toLocaleString('en-US'), unit].filter(Boolean).join(' ');
}
