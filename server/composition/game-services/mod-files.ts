import { join } from 'node:path';
import type { Kysely } from 'kysely';
import type { Secret } from '#runtime/secret.ts';
import type { Leases } from '../../kernel/commands/leases.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import { createModUploads, type ModUploads } from '../../mods/mod-uploads.ts';
import type { Settings } from '../../operations/settings.ts';
import type { AgentFileSources } from '../../servers/agents/agent-files.ts';

/** What people use to fetch mod files into the API, and agents to fetch them from there. */
export interface ModFileSources extends AgentFileSources {
  readonly uploads: ModUploads;
  /** Null: not set. */
  curseforgeKey(): Promise<Secret | null>;
}

export const createModFileSources = ({
  db,
  home,
  leases,
  settings,
}: {
  readonly db: Kysely<Tables>;
  readonly home: string;
  readonly leases: Leases;
  readonly settings: Pick<Settings, 'secret'>;
}): ModFileSources => {
  const uploads = createModUploads({ db, leases, folder: join(home, 'mod-uploads') });
  const curseforgeKey = async () => {
    const opened = await settings.secret('external-services', 'curseforgeApiKey');
    return opened?.outcome === 'open' ? opened.secret : null;
  };
  return {
    uploads,
    curseforgeKey,
    files: uploads,
    keys: { curseforge: async () => (await curseforgeKey())?.reveal() ?? null },
  };
};
