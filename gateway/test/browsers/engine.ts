/** The parts of a browser that a test needs: it opens a page and runs functions in it. */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { findProgram } from '../../harness/setup/system-packages.mjs';

export interface Engine {
  /** Name and version of the browser, as it reports them. */
  readonly version: string;
  /** Opens an address. */
  open(url: string): Promise<void>;
  /**
   * Runs a function in the page.
   * @param source of an expression that is a function of `argument`, which is JSON; it may return a promise of JSON
   */
  run(source: string, argument?: unknown): Promise<unknown>;
  close(): Promise<void>;
}

/** @throws Error if the program is not installed */
export function programOf(name: string): string {
  const path = findProgram(name);
  if (!path) throw new Error(`There is no ${name} on the PATH.`);
  return path;
}

/** Ends a process that a test started, if it still runs. */
export async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill();
  await once(child, 'exit');
}
