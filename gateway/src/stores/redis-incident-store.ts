import brand from '@presenza/contract/brand.json';
import type { Incident } from '../services/incidents/incident';
import type { IncidentStore } from '../services/incidents/incidents';
import { LuaScript } from './lua/script';
import { type RedisClient, unavailable } from './redis';
import { replace, valuesOf } from './replace';

/** A hash: each incident under its id. */
const keys = { incidents: `${brand.slug}:incidents` };

const addScript = LuaScript.load<'incidents', 'id' | 'incident' | 'most' | 'oldestEnd' | 'now'>(
  'incidents/add',
);
const replaceScript = LuaScript.load<'incidents', 'id' | 'before' | 'after'>('incidents/replace');

export class RedisIncidentStore implements IncidentStore {
  constructor(private readonly redis: RedisClient) {}

  async add(incident: Incident, room: Parameters<IncidentStore['add']>[1]): Promise<boolean> {
    const args = { id: incident.id, incident: JSON.stringify(incident), ...room };
    return (await addScript.run(this.redis, keys, args).catch(unavailable)) === 'added';
  }

  change(id: string, change: (incident: Incident) => Incident): Promise<Incident | undefined> {
    return replace<Incident>(
      () => this.redis.hget(keys.incidents, id),
      (before, after) => replaceScript.run(this.redis, keys, { id, before, after }),
      change,
    );
  }

  async remove(id: string): Promise<boolean> {
    return (await this.redis.hdel(keys.incidents, id).catch(unavailable)) === 1;
  }

  all(): Promise<readonly Incident[]> {
    return valuesOf<Incident>(this.redis, keys.incidents);
  }
}
