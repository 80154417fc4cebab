import type { Kysely } from 'kysely';
import type { Log } from '#runtime/log.ts';
import type { StackConfig } from '#runtime/stack-config.ts';
import type { AuditContext } from '../../kernel/access/audit-context.ts';
import type { ApiRoutes } from '../../kernel/access/authorize.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import type { Refusal } from '../../kernel/http/refusal.ts';
import type { QueuePauses } from '../../kernel/queues/queue-pauses.ts';
import { createModServices, type ModServices } from '../../mods/mod-services.ts';
import type { ModUploads } from '../../mods/mod-uploads.ts';
import { createMods, type Mods } from '../../mods/mods.ts';
import { planChange } from '../../mods/plan/plan-change.ts';
import { createQueuedMods } from '../../mods/queued-mods.ts';
import { bindModSearchRoutes } from '../../mods/search/search-mods.ts';
import { readSetOf } from '../../mods/sets/sets.ts';
import { createModSources } from '../../mods/sources/mod-sources.ts';
import type { Settings } from '../../operations/settings.ts';
import type { AgentTasks } from '../../servers/agent-tasks.ts';
import type { AgentGateway } from '../../servers/agents/agent-gateway.ts';
import { announcement } from '../../servers/power/announcement.ts';
import type { ServerStatuses } from '../../servers/server-status/server-status.ts';
import type { ModFileSources } from './mod-files.ts';

interface ServerModsParts extends AsyncDisposable {
  readonly mods: Mods;
  readonly uploads: ModUploads;
  /** The routes that build on the mods of single servers. */
  bind(routes: ApiRoutes): void;
  /** Call it once the schema is ready. */
  prepare(): Promise<void>;
  /** For the queues page. */
  readonly queued: {
    retry(id: string, by: AuditContext): Promise<Refusal | null>;
    cancel(id: string, by: AuditContext): Promise<Refusal | null>;
  };
}

/** The mods of games and the sources they come from. */
export const createServerMods = (options: {
  readonly db: Kysely<Tables>;
  readonly config: Pick<StackConfig, 'modSourceUrls'>;
  readonly files: Pick<ModFileSources, 'uploads' | 'curseforgeKey'>;
  readonly agents: Pick<AgentGateway, 'isPresent'>;
  readonly tasks: AgentTasks;
  readonly statuses: ServerStatuses;
  readonly pauses: QueuePauses;
  readonly licenseHolds: () => boolean;
  readonly settings: Pick<Settings, 'values' | 'saved'>;
  readonly log: Log;
}): ServerModsParts => {
  const { db, config, agents, tasks, statuses, pauses, licenseHolds, settings, log } = options;
  const owned = new AsyncDisposableStack();
  const { uploads, curseforgeKey } = options.files;
  const sources = createModSources({
    urls: config.modSourceUrls,
    curseforgeKey,
    log,
  });
  const mods: Mods = owned.use(
    createMods({
      db,
      tasks,
      isAgentPresent: agents.isPresent,
      statusOf: statuses.read,
      pauses,
      licenseHolds,
      async settings() {
        const { language } = await settings.values('general');
        const { countdownSeconds } = await settings.values('power');
        const { readySeconds, watchSeconds } = await settings.values('mods');
        return {
          restartText: announcement('restart', language),
          countdownSeconds,
          readySeconds,
          watchSeconds,
        };
      },
      planChange,
      sources,
      uploads,
      readSet: (id) => readSetOf(db, id),
      findings: (serverId, list) => services.findings(serverId, list),
      log,
    }),
  );
  const services: ModServices = owned.use(
    createModServices({
      db,
      sources,
      mods,
      checkHours: async () => (await settings.values('mods')).checkHours,
      async community() {
        const [{ language }, { communityName = null }] = [
          await settings.values('general'),
          await settings.saved('general'),
        ];
        return { name: communityName, language };
      },
      log,
    }),
  );
  return {
    mods,
    uploads,
    bind(routes) {
      services.bind(routes);
      bindModSearchRoutes(routes, {
        db,
        sources,
        listOf: async (serverId) => (await mods.lists.read(serverId))?.list ?? null,
      });
    },
    async prepare() {
      await mods.prepare();
      await services.prepare();
    },
    queued: createQueuedMods(db, mods),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
};
