/** Accounts, or their operations, that a map of them remembers: there may be any number of accounts. */
const maxRemembered = 1000;

/** Sets a value, and drops the one that was set least recently once there are too many. */
export function remember<Value>(map: Map<string, Value>, key: string, value: Value): void {
  // Deleted first, so that the order of the map is that of use.
  map.delete(key);
  map.set(key, value);
  if (map.size > maxRemembered) map.delete(map.keys().next().value as string);
}
