/** The light of a page on a subject. */
import type { Solid } from './solid';

/** Red, green and blue, 0 to 255. */
export type Color = readonly [red: number, green: number, blue: number];

/** How much brighter a face becomes under a white page, as a share: an arm's length from a laptop in an office. */
const strength = 0.12;

/** The colors that a page has shown, for a subject that reflects them. */
export class PageLight {
  private readonly changes: { readonly color: Color; readonly atMs: number }[] = [];

  /**
   * @param delayMs from the page to the frame: display, exposure and, for an attacker, reading the page
   * @param share how much brighter a face becomes under a white page
   */
  constructor(
    private readonly delayMs: number,
    private readonly share = strength,
  ) {}

  shine(color: Color, atMs: number): void {
    this.changes.push({ color, atMs });
  }

  /** A solid as the light of the page shows it. */
  lit(solid: Solid, ms: number): Solid {
    const color = this.changes.findLast(({ atMs }) => atMs <= ms - this.delayMs)?.color;
    if (!color) return solid;
    const gain = color.map((level) => 1 + (this.share * level) / 255) as unknown as NonNullable<
      Solid['gain']
    >;
    return { ...solid, gain };
  }
}
