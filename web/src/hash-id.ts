/** Id that an address's fragment names. One that is not well encoded names nothing. @param hash with its `#` */
export function hashId(hash: string): string {
  try {
    return decodeURIComponent(hash.slice(1));
  } catch {
    return '';
  }
}
