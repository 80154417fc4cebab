import type { Kysely } from 'kysely';
import { modsHttp } from '#contracts/mods/mods-http.ts';
import type { ModsList } from '#contracts/servers/agent-mods.ts';
import type { Log } from '#runtime/log.ts';
import { createTokenBuckets } from '#runtime/throttle/token-buckets.ts';
import type { ApiRoutes } from '../kernel/access/authorize.ts';
import type { Tables } from '../kernel/database/tables.ts';
import { demandGranted } from '../kernel/http/refusal.ts';
import type { Mods } from './mods.ts';
import { bindPlayerListRoutes, type PlayerPageCommunity } from './player-list/player-list.routes.ts';
import { createPlayerList } from './player-list/player-list.ts';
import { usualPackHosts } from './player-list/player-pack.ts';
import { bindModSetsRoutes } from './sets/sets.routes.ts';
import { createModSets } from './sets/sets.ts';
import type { ModFindings } from './shown-list.ts';
import type { ModSourceClient } from './sources/mod-source.ts';
import { shownFindings } from './updates/shown-findings.ts';
import { createUpdateChecks } from './updates/update-checks.ts';
import { bindWavesRoutes } from './waves/waves.routes.ts';
import { createWaves } from './waves/waves.ts';

/** Services that build on the mods of single servers: sets, waves, update checks, lists for players. */
export interface ModServices extends AsyncDisposable {
  bind(routes: ApiRoutes): void;
  /** Resumes what was running before this process. May be called again. */
  prepare(): Promise<void>;
  findings(serverId: string, list: ModsList): Promise<ModFindings>;
}

/** Checks of one server requested by people: sources limit the number of requests. */
const checkLimits = { capacity: 3, refillMs: 60_000 };

export const createModServices = ({
  db,
  sources,
  mods,
  checkHours,
  community,
  log,
}: {
  readonly db: Kysely<Tables>;
  readonly sources: Readonly<Record<ModSourceClient['source'], ModSourceClient>>;
  readonly mods: Mods;
  /** The time between two update checks of a server. */
  readonly checkHours: () => Promise<number>;
  readonly community: PlayerPageCommunity;
  readonly log: Log;
}): ModServices => {
  const owned = new AsyncDisposableStack();
  const listOf = async (serverId: string) => (await mods.lists.read(serverId))?.list ?? null;
  const waves = owned.use(createWaves({ db, servers: mods, log }));
  const checks = owned.use(
    createUpdateChecks({
      db,
      sources,
      async listOf(serverId) {
        await mods.lists.refresh(serverId);
        return listOf(serverId);
      },
      pinnedOf: async (serverId) => new Set((await mods.all(serverId)).keys()),
      hours: checkHours,
      log,
    }),
  );
  const playerList = createPlayerList({ db, listOf, packHosts: usualPackHosts });
  const budget = createTokenBuckets(checkLimits, () => performance.now());

  return {
    bind(routes) {
      routes.on(modsHttp.check, async ({ params: { serverId } }, { actor }) => {
        const known = demandGranted(await mods.read(serverId, actor));
        if (budget.tryTake(serverId) > 0) return known;
        await checks.check(serverId);
        return mods.read(serverId, actor);
      });
      bindModSetsRoutes(routes, createModSets(db));
      bindWavesRoutes(routes, waves);
      bindPlayerListRoutes(routes, playerList, community);
    },
    async prepare() {
      await waves.prepare();
      await checks.prepare();
    },
    async findings(serverId, list) {
      const [check, shared] = await Promise.all([checks.read(serverId), playerList.of(serverId)]);
      return { ...shownFindings(check, list), playerList: shared };
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
};
