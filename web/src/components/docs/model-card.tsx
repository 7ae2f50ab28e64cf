/** The card of one part of the pipeline: texts from content, models from manifests, figures from measurements. */
import { graphql, Link, useStaticQuery } from 'gatsby';
import { fill } from '../../fill';
import { anchorOf, FigureCells } from '../benchmarks/result';
import { Table } from '../mdx/table';
import { CodeInText } from '../ui/code-in-text';
import { Headings } from '../ui/headings';
import * as styles from './model-card.module.css';

type Data = QueryData<Queries.ModelCardsQuery>;
type Texts = Data['contentModelCards'];
type Card = Texts['cards'][number];

export function ModelCard({ part }: { part: string }) {
  const { contentModelCards, contentBenchmarks } = useModelCards();
  const { labels, cards } = contentModelCards;
  const card = cards.find((candidate) => candidate.part === part);
  if (!card) throw new Error(`There is no model card named ${part}.`);
  return (
    <div>
      <dl className={styles.words}>
        <dt>{labels.use}</dt>
        <dd>{card.use}</dd>
        <dt>{labels.outOfScope}</dt>
        <dd>{card.outOfScope}</dd>
        <dt>{labels.limits}</dt>
        <dd>
          <ul>
            {card.limits.map((limit) => (
              <li key={limit}>
                <CodeInText>{limit}</CodeInText>
              </li>
            ))}
          </ul>
        </dd>
      </dl>
      {card.models.map((model) => (
        <Model key={model.modelId} model={model} labels={labels} />
      ))}
      <h3>{labels.figures}</h3>
      <p>{card.conditions}</p>
      {card.results.map((result) => (
        <Figures key={result.name} result={result} labels={labels} texts={contentBenchmarks.results} />
      ))}
    </div>
  );
}

function Model({ model, labels }: { model: Card['models'][number]; labels: Texts['labels'] }) {
  const { modelId, description, role, trainingData, license, source, input, files } = model;
  const fields = [
    [labels.trainingData, trainingData],
    [labels.license, license],
    [labels.source, source],
    [labels.input, input],
    [labels.role, role],
  ] as const;
  return (
    <section className={styles.model} data-source="models">
      <h3>
        <code>{modelId}</code>
      </h3>
      <p>{description}</p>
      <dl className={styles.fields}>
        {fields.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <details>
        <summary>{labels.files}</summary>
        <ul className={styles.files}>
          {files.map(({ path, sha256 }) => (
            <li key={path}>
              <code>{path}</code>
              <br />
              <code>{sha256}</code>
            </li>
          ))}
        </ul>
      </details>
    </section>
  );
}

interface FiguresProps {
  result: Card['results'][number];
  labels: Texts['labels'];
  texts: Data['contentBenchmarks']['results'];
}

function Figures({ result, labels, texts }: FiguresProps) {
  const { name, measuredAt, commit, machine, staleBuild, figures } = result;
  return (
    <div className={styles.figures} data-source="results">
      <p>
        <Link to={`/benchmarks#${anchorOf(name)}`}>
          <code>{name}</code>
        </Link>
        : {fill(labels.measured, { ...machine, date: measuredAt, commit })} {staleBuild && texts.stale}
      </p>
      <Table>
        <Headings labels={[texts.what, texts.seen]} />
        <tbody>
          {figures.map((figure) => (
            <tr key={figure.what}>
              <FigureCells {...figure} texts={texts} />
            </tr>
          ))}
        </tbody>
      </Table>
    </div>
  );
}

const useModelCards = () =>
  useStaticQuery<Data>(graphql`
    query ModelCards {
      contentModelCards {
        labels { use outOfScope limits role trainingData license source input files figures measured }
        cards {
          part use outOfScope limits conditions
          models { role modelId description license trainingData source input files { path sha256 } }
          results {
            name measuredAt(formatString: "D MMMM YYYY") commit staleBuild
            machine { cpu cores }
            figures { what valueText sampleText { count isInterval low high } }
          }
        }
      }
      contentBenchmarks { results { what seen interval range stale } }
    }
  `);
