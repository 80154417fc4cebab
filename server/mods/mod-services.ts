import type { Kysely } from 'kysely';
import type { ModsList } from '#contracts/agent-mods.ts';
import { modsHttp, type ServerMods } from '#contracts/mods.ts';
import type { Log } from '#runtime/log.ts';
import { createTokenBuckets } from '#runtime/throttle/token-buckets.ts';
import type { Actor } from '../access/actor.ts';
import type { ApiRoutes } from '../access/authorize.ts';
import type { Tables } from '../database/tables.ts';
import { demandGranted, type Refusal } from '../http/refusal.ts';
import { bindPlayerListRoutes } from './player-list/player-list.routes.ts';
import { createPlayerList } from './player-list/player-list.ts';
import { usualPackHosts } from './player-list/player-pack.ts';
import { bindModSetsRoutes } from './sets/sets.routes.ts';
import { createModSets } from './sets/sets.ts';
import type { ModSourceClient } from './sources/mod-source.ts';
import { createUpdateChecks } from './updates/update-checks.ts';
import { withFindings } from './updates/with-findings.ts';
import type { WaveServers } from './waves/wave-servers.ts';
import { bindWavesRoutes } from './waves/waves.routes.ts';
import { createWaves } from './waves/waves.ts';

export interface ModServicesOptions {
  readonly db: Kysely<Tables>;
  readonly sources: Readonly<Record<ModSourceClient['source'], ModSourceClient>>;
  /** As agents told of them, without what is known of mods beside that. */
  readonly mods: WaveServers & {
    read(serverId: string, actor: Actor): Promise<ServerMods | Refusal>;
    /** As the agent told it last; null: none has. */
    listOf(serverId: string): Promise<ModsList | null>;
    /** Asks the agent for it, where one is there. */
    refresh(serverId: string): Promise<unknown>;
    pinnedOf(serverId: string): Promise<ReadonlySet<string>>;
  };
  /** Between two update checks of a server. */
  readonly checkHours: () => Promise<number>;
  readonly log: Log;
}

/** What stands upon the mods of single servers: sets, waves, update checks, lists for players. */
export interface ModServices extends AsyncDisposable {
  bind(routes: ApiRoutes): void;
  /** Takes up what was under way before this process. May be called again. */
  prepare(): Promise<void>;
}

/** Checks of one server that people ask for; sources count what they are asked. */
const checkLimits = { capacity: 3, refillMs: 60_000 };

export const createModServices = ({
  db,
  sources,
  mods,
  checkHours,
  log,
}: ModServicesOptions): ModServices => {
  const owned = new AsyncDisposableStack();
  const { listOf, pinnedOf } = mods;
  const freshListOf = async (serverId: string) => {
    await mods.refresh(serverId);
    return listOf(serverId);
  };
  const waves = owned.use(createWaves({ db, servers: mods, log }));
  const checks = owned.use(
    createUpdateChecks({ db, sources, listOf: freshListOf, pinnedOf, hours: checkHours, log }),
  );
  const playerList = createPlayerList({ db, listOf, packHosts: usualPackHosts });
  const budget = createTokenBuckets(checkLimits, () => performance.now());

  const read = async (serverId: string, actor: Actor): Promise<ServerMods> => {
    const found = demandGranted(await mods.read(serverId, actor));
    const [check, shared] = await Promise.all([checks.read(serverId), playerList.of(serverId)]);
    return { ...withFindings(found, check), playerList: shared };
  };

  return {
    bind(routes) {
      routes.on(modsHttp.read, ({ params }, { actor }) => read(params.serverId, actor));
      routes.on(modsHttp.check, async ({ params: { serverId } }, { actor }) => {
        const known = await read(serverId, actor);
        if (budget.tryTake(serverId) > 0) return known;
        await checks.check(serverId);
        return read(serverId, actor);
      });
      bindModSetsRoutes(routes, createModSets(db));
      bindWavesRoutes(routes, waves);
      bindPlayerListRoutes(routes, playerList);
    },
    async prepare() {
      await waves.prepare();
      await checks.prepare();
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
};
