/** The id in an address's fragment; empty if it is malformed. @param hash with its `#` */
export function hashId(hash: string): string {
  try {
    return decodeURIComponent(hash.slice(1));
  } catch {
    return '';
  }
}
