import { join } from 'node:path';
import { modsHttp } from '#contracts/mods/mods-http.ts';
import { createTokenBuckets } from '#runtime/throttle/token-buckets.ts';
import type { ApiRoutes } from '../kernel/access/authorize.ts';
import { demandGranted } from '../kernel/http/refusal.ts';
import type { Kernel } from '../kernel/kernel.ts';
import type { MaintenanceTask } from '../operations/maintenance.ts';
import type { Settings } from '../operations/settings.ts';
import type { Servers } from '../servers/servers.ts';
import { deleteOldModJobs } from './changes/job-rows.ts';
import { createKeptMods } from './changes/kept-mods.ts';
import { createModChanges } from './changes/mod-changes.ts';
import { createModPins } from './changes/mod-pins.ts';
import { bindModsRoutes } from './changes/mods.routes.ts';
import { createQueuedMods } from './changes/queued-mods.ts';
import { deleteOldPlans } from './plan/mod-plans.ts';
import { bindPlayerListRoutes } from './player-list/player-list.routes.ts';
import { createPlayerList } from './player-list/player-list.ts';
import { usualPackHosts } from './player-list/player-pack.ts';
import { bindModSearchRoutes } from './search/search-mods.ts';
import { bindModSetsRoutes } from './sets/sets.routes.ts';
import { createModSets } from './sets/sets.ts';
import { createModSources } from './sources/mod-sources.ts';
import { createUpdateChecks } from './updates/update-checks.ts';
import { createModUploads, type ModUploads } from './uploads/mod-uploads.ts';
import { bindWavesRoutes } from './waves/waves.routes.ts';
import { createWaves } from './waves/waves.ts';

export interface ModsContext extends Kernel {
  readonly servers: Servers;
  readonly settings: Pick<Settings, 'values' | 'saved' | 'secret'>;
}

/** The mods of games, and the sources that they come from. */
export interface Mods extends AsyncDisposable {
  /** What the page of queues does to changes of mods. */
  readonly queued: ReturnType<typeof createQueuedMods>;
  /** An uploaded file, for the agent of a server. */
  readonly openUpload: ModUploads['open'];
  /** For agents that download from there; null: none is set. */
  curseforgeKey(): Promise<string | null>;
  /** Advances changes that wait for something that has changed. */
  look(): void;
  readonly maintenance: readonly MaintenanceTask[];
  bind(routes: ApiRoutes): void;
  /** Resumes what was running before this process. May be called again. */
  prepare(): Promise<void>;
}

/** Checks of one server requested by people: sources limit the number of requests. */
const checkLimits = { capacity: 3, refillMs: 60_000 };

export const createMods = (context: ModsContext): Mods => {
  const { config, home, db, leases, servers, settings, log } = context;
  const owned = new AsyncDisposableStack();
  const listeners = new Set([servers.changed]);
  const onChange = (serverId: string) => {
    for (const listener of listeners) listener(serverId);
  };

  const uploads = createModUploads({ db, leases, folder: join(home, 'mod-uploads') });
  const curseforgeKey = async () => {
    const opened = await settings.secret('external-services', 'curseforgeApiKey');
    return opened?.outcome === 'open' ? opened.secret : null;
  };
  const sources = createModSources({ urls: config.modSourceUrls, curseforgeKey, log });
  const lists = createKeptMods({ db, tasks: servers.tasks, onKept: onChange, log });
  const listOf = async (serverId: string) => (await lists.read(serverId))?.list ?? null;
  const pins = createModPins(db, onChange);
  const playerList = createPlayerList({ db, listOf, packHosts: usualPackHosts });
  const checks = owned.use(
    createUpdateChecks({
      db,
      sources,
      async listOf(serverId) {
        await lists.refresh(serverId);
        return listOf(serverId);
      },
      pinnedOf: async (serverId) => new Set((await pins.all(serverId)).keys()),
      hours: async () => (await settings.values('mods')).checkHours,
      log,
    }),
  );
  const changes = owned.use(
    createModChanges({ ...context, sources, uploads, lists, pins, checks, playerList, onChange }),
  );
  const waves = owned.use(
    createWaves({
      db,
      servers: {
        ...changes,
        onChange(listener) {
          listeners.add(listener);
          return () => void listeners.delete(listener);
        },
      },
      log,
    }),
  );

  return {
    queued: createQueuedMods(db, changes),
    openUpload: uploads.open,
    curseforgeKey: async () => (await curseforgeKey())?.reveal() ?? null,
    look: changes.look,
    maintenance: [
      {
        name: 'changes of mods',
        run: () => deleteOldModJobs(db, config.eventLogRetentionDays),
      },
      { name: 'plans of mods', run: () => deleteOldPlans(db) },
      { name: 'uploaded mods', run: uploads.deleteOld },
    ],
    bind(routes) {
      bindModsRoutes(routes, changes, uploads);
      const budget = createTokenBuckets(checkLimits, () => performance.now());
      routes.on(modsHttp.check, async ({ params: { serverId } }, { actor }) => {
        const known = demandGranted(await changes.read(serverId, actor));
        if (budget.tryTake(serverId) > 0) return known;
        await checks.check(serverId);
        return changes.read(serverId, actor);
      });
      bindModSetsRoutes(routes, createModSets(db));
      bindWavesRoutes(routes, waves);
      bindPlayerListRoutes(routes, playerList, async () => {
        const [{ language }, { communityName = null }] = [
          await settings.values('general'),
          await settings.saved('general'),
        ];
        return { name: communityName, language };
      });
      bindModSearchRoutes(routes, { db, sources, listOf });
    },
    async prepare() {
      await changes.prepare();
      await waves.prepare();
      await checks.prepare();
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
};
