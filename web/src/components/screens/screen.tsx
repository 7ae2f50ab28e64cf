/** A screenshot of the product in the mode of the site. `npm run screens` takes them. */
import { graphql, useStaticQuery } from 'gatsby';
import * as styles from './screen.module.css';

/** Pixels, for the space before an image loads. */
const SIZES = {
  playground: { width: 1208, height: 679 },
  consent: { width: 546, height: 1092 },
  verified: { width: 546, height: 1092 },
};

interface ScreenProps {
  name: keyof typeof SIZES;
  /** Text alternative. */
  label: string;
}

export function Screen({ name, label }: ScreenProps) {
  const { allFile } = useStaticQuery<QueryData<Queries.ScreensQuery>>(query);
  const src = (mode: string) =>
    allFile.nodes.find((file) => file.name === `${name}-${mode}`)?.publicURL ?? undefined;
  // Lazy, because only then browsers skip the image that the mode hides.
  return (
    <>
      <img className={styles.light} src={src('light')} {...SIZES[name]} alt={label} loading="lazy" />
      <img className={styles.dark} src={src('dark')} {...SIZES[name]} alt={label} loading="lazy" />
    </>
  );
}

const query = graphql`
  query Screens {
    allFile(filter: { relativeDirectory: { eq: "screens" } }) { nodes { name publicURL } }
  }
`;
