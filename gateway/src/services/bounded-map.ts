/** A map of at most `capacity` entries: what was neither read nor written for longest makes room. */
export class BoundedMap<K, V> {
  private readonly entries = new Map<K, V>();

  constructor(private readonly capacity: number) {}

  get size(): number {
    return this.entries.size;
  }

  get(key: K): V | undefined {
    const value = this.entries.get(key);
    if (value !== undefined) this.set(key, value);
    return value;
  }

  set(key: K, value: V): void {
    // A Map keeps the order of insertion: last in is last out.
    this.entries.delete(key);
    this.entries.set(key, value);
    if (this.entries.size > this.capacity) {
      const [oldest] = this.entries.keys();
      this.entries.delete(oldest as K);
    }
  }

  delete(key: K): void {
    this.entries.delete(key);
  }

  deleteWhere(fits: (value: V) => boolean): void {
    for (const [key, value] of this.entries) if (fits(value)) this.entries.delete(key);
  }
}
