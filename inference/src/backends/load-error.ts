/** Asks the system's loader for a library. Only a child process may do so, because the library stays loaded. */

/** @returns the loader's error, or undefined if the library can be loaded. */
export function loadError(library: string): string | undefined {
  try {
    process.dlopen({ exports: {} }, library);
  } catch (error) {
    const { message } = error as Error;
    // Node loads the library before it notices that it is not an addon.
    return message.startsWith('Module did not self-register') ? undefined : message;
  }
  return undefined;
}
