/** The releases of CHANGELOG.md. */
import { graphql, useStaticQuery } from 'gatsby';
import { Fragment } from 'react';
import * as styles from './changelog.module.css';
import type { TocEntry } from './toc';

/** @param unreleased in place of the date */
export function Changelog({ unreleased }: { unreleased: string }) {
  return useReleases().map(({ version, date, machineDate, anchor, groups }) => (
    <Fragment key={version}>
      <h2 id={anchor} data-source="changelog">
        {version}{' '}
        <small className={styles.date}>
          {date ? <time dateTime={machineDate ?? undefined}>{date}</time> : unreleased}
        </small>
        <Anchor to={anchor} />
      </h2>
      {groups.map((group) => (
        <Fragment key={group.label}>
          <h3 id={group.anchor}>
            {group.label}
            <Anchor to={group.anchor} />
          </h3>
          {/* biome-ignore lint/security/noDangerouslySetInnerHtml: the build writes it from CHANGELOG.md. */}
          <div data-source="changelog" dangerouslySetInnerHTML={{ __html: group.html }} />
        </Fragment>
      ))}
    </Fragment>
  ));
}

/** The headings of all releases. */
export const useChangelogToc = (): TocEntry[] =>
  useReleases().flatMap(({ version, anchor, groups }) => [
    { id: anchor, title: version, level: 2, source: 'changelog' as const },
    ...groups.map(({ label, anchor: id }) => ({ id, title: label, level: 3 })),
  ]);

/** A heading's link to itself for mouse users, as headings of MDX have it. */
const Anchor = ({ to }: { to: string }) => (
  // biome-ignore lint/a11y/useAnchorContent: keyboards and screen readers skip it.
  <a className="heading-anchor" aria-hidden="true" tabIndex={-1} href={`#${to}`} />
);

const useReleases = () =>
  useStaticQuery<QueryData<Queries.ChangelogQuery>>(graphql`
    query Changelog {
      allChangelogRelease(sort: { position: ASC }) {
        nodes {
          version anchor machineDate: date
          date(formatString: "D MMMM YYYY")
          groups { label anchor html }
        }
      }
    }
  `).allChangelogRelease.nodes;
