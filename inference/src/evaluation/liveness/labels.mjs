/** Checks the labels that the page sends: they become a line of the manifest and the name of a folder. */

/** Excludes letters that CSV or a file system reads as its own. */
const TEXT = /^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,59}$/u;
const SUBJECT = /^[A-Za-z0-9-]{1,20}$/;

/**
 * @param {unknown} sent
 * @returns {{ labels: import('./take.mjs').TakeOptions['labels'] } | { fault: string }}
 */
export function checkLabels(sent) {
  if (!sent || typeof sent !== 'object') return { fault: 'The labels are missing.' };
  const { label, type, species, device, group, subject } = /** @type {Record<string, unknown>} */ (sent);
  if (typeof subject !== 'string' || !SUBJECT.test(subject))
    return { fault: 'The code has 1 to 20 letters, digits and hyphens.' };
  if (label !== 'bonaFide' && label !== 'attack')
    return { fault: 'Say whether this is a person or an attack.' };
  const texts = { device, group, ...(label === 'attack' && { species }) };
  for (const [name, value] of Object.entries(texts)) {
    if (value === undefined || value === '') continue;
    if (typeof value !== 'string' || !TEXT.test(value))
      return { fault: `The ${name} has up to 60 letters, digits, spaces, dots, hyphens and underscores.` };
  }
  const given = Object.fromEntries(
    Object.entries(texts).filter(([, value]) => value !== '' && value !== undefined),
  );
  if (label === 'bonaFide') return { labels: { label, subject, ...given } };
  if (type !== 'presentation' && type !== 'injection')
    return { fault: 'Say whether the attack is in front of the camera or replaces it.' };
  if (!species) return { fault: 'Name the species of the attack.' };
  return { labels: { label, type, subject, ...given } };
}
