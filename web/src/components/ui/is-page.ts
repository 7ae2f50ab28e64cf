/**
 * Whether a link may change the page without a request to the server. The server decides about addresses of the console,
 * which may be elsewhere.
 */
export const isPage = (to: string): boolean => /^\/(?!\/|console(?:[/?#]|$))[^.]*$/.test(to);
