/** One thing that needs attention, and the page where people deal with it. */
export interface Note {
  readonly id: string;
  readonly text: string;
  readonly action?: string;
  readonly to?: string;
}
