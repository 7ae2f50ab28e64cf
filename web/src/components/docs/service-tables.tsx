/** Tables of what the service's code reads: environment variables, bounds and test images; and of downloads. The attributes are the texts. */
import { graphql, useStaticQuery } from 'gatsby';
import type { ReactNode } from 'react';
import { Table } from '../mdx/table';
import { Code } from '../ui/code';
import { CodeInText } from '../ui/code-in-text';
import { Headings } from '../ui/headings';
import * as styles from './service-tables.module.css';

type ConfigurationTexts = Record<
  'tier' | 'variable' | 'values' | 'fallback' | 'meaning' | 'required',
  string
>;

/** @param required in place of the default of a variable that must be set */
export function ConfigurationTable({ tier, required: must, ...texts }: ConfigurationTexts) {
  const variables = useServiceTables().allConfigurationVariable.nodes.filter(
    (variable) => variable.tier === tier,
  );
  return (
    <Headed by="configuration" texts={[texts.variable, texts.values, texts.fallback, texts.meaning]}>
      {variables.map(({ name, values, fallback, required, description }) => (
        <tr key={name} id={`${tier}-${name.toLowerCase().replaceAll('_', '-')}`}>
          <th scope="row">
            <Code>{name}</Code>
          </th>
          <td>
            <Code>{values}</Code>
          </td>
          <td>{required ? must : fallback && <Code>{fallback}</Code>}</td>
          <td>
            <CodeInText>{description}</CodeInText>
          </td>
        </tr>
      ))}
    </Headed>
  );
}

export function BoundsTable(texts: Record<'per' | 'bound' | 'limit' | 'outcome', string>) {
  return (
    <Headed by="bounds" texts={[texts.per, texts.bound, texts.limit, texts.outcome]}>
      {useServiceTables().allGatewayBound.nodes.map(({ per, bound, limit, variable, outcome }) => (
        <tr key={bound}>
          <td>{per}</td>
          <th scope="row">
            {bound} {variable && <Code>{variable}</Code>}
          </th>
          <td>{limit}</td>
          <td>{/^[A-Z_]+$/.test(outcome) ? <Code>{outcome}</Code> : outcome}</td>
        </tr>
      ))}
    </Headed>
  );
}

/** @param group of the images */
export function TestImagesTable({ group, image, response }: Record<'group' | 'image' | 'response', string>) {
  const images = useServiceTables().allTestImage.nodes.filter((testImage) => testImage.group === group);
  return (
    <Headed by="test-images" texts={[image, response]}>
      {images.map(({ file, address, response }) => (
        <tr key={file}>
          <th scope="row">
            <a href={address} download className={styles.file}>
              <img
                src={address}
                alt=""
                width={160}
                height={184}
                loading="lazy"
                className={styles.thumbnail}
              />
              <code>{file}</code>
            </a>
          </th>
          <td>
            <CodeInText>{response}</CodeInText>
          </td>
        </tr>
      ))}
    </Headed>
  );
}

/** @param group of the files */
export function DownloadsTable({ group, ...texts }: Record<'group' | 'file' | 'size', string>) {
  const downloads = useServiceTables().allDownload.nodes.filter((download) => download.group === group);
  return (
    <Headed by="downloads" texts={[texts.file, texts.size]}>
      {downloads.map(({ file, address, size, sha256 }) => (
        <tr key={file}>
          <th scope="row">
            <a href={address} download>
              <Code>{file}</Code>
            </a>
            <code className={styles.hash}>{sha256}</code>
          </th>
          <td className={styles.size}>{size}</td>
        </tr>
      ))}
    </Headed>
  );
}

/** @param by the source of the rows */
function Headed({ by, texts, children }: { by: string; texts: string[]; children: ReactNode }) {
  return (
    <Table>
      <Headings labels={texts} />
      <tbody data-source={by}>{children}</tbody>
    </Table>
  );
}

const useServiceTables = () =>
  useStaticQuery<QueryData<Queries.ServiceTablesQuery>>(graphql`
    query ServiceTables {
      allConfigurationVariable(sort: { position: ASC }) {
        nodes { tier name values fallback required description }
      }
      allGatewayBound(sort: { position: ASC }) { nodes { per bound limit variable outcome } }
      allTestImage(sort: { position: ASC }) { nodes { file address group response } }
      allDownload(sort: { position: ASC }) { nodes { file address group size sha256 } }
    }
  `);
