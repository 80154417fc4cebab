import type { Kysely } from 'kysely';
import type { ModsList } from '#contracts/agent-mods.ts';
import type { EndpointResponse } from '#contracts/http.ts';
import { modsHttp } from '#contracts/mods.ts';
import { newSecretText } from '#runtime/auth/secret-token.ts';
import { may } from '../../access/actor.ts';
import type { AuditContext } from '../../access/audit-context.ts';
import { recordAudit } from '../../audit/record-audit.ts';
import type { Tables } from '../../database/tables.ts';
import { type Refusal, refuse } from '../../http/refusal.ts';
import { listedMods } from './listed-mods.ts';
import { makePack, packDependencies } from './player-pack.ts';

export interface PlayerListOptions {
  readonly db: Kysely<Tables>;
  /** As the server's agent last told; null: none has. */
  readonly listOf: (serverId: string) => Promise<ModsList | null>;
  /** Whose files a pack may name. */
  readonly packHosts: readonly string[];
}

type Shared = { readonly url: string } | null;
export type PlayerListAnswer = EndpointResponse<typeof modsHttp.playerList>;

/** Which mods players need, for all who know the address. */
export interface PlayerList {
  of(serverId: string): Promise<Shared>;
  share(
    serverId: string,
    isShared: boolean,
    by: AuditContext,
  ): Promise<{ readonly playerList: Shared } | Refusal>;
  read(token: string): Promise<PlayerListAnswer | Refusal>;
  pack(token: string): Promise<ReturnType<typeof makePack> | Refusal>;
}

export const createPlayerList = ({ db, listOf, packHosts }: PlayerListOptions): PlayerList => {
  const find = async (token: string) => {
    const server = await db
      .selectFrom('mod_player_lists as shared')
      .innerJoin('game_servers as server', 'server.id', 'shared.server_id')
      .leftJoin('mod_checks as checked', 'checked.server_id', 'shared.server_id')
      .select(['server.id', 'server.name', 'server.game', 'checked.found'])
      .where('shared.token', '=', token)
      .where('server.archived_at', 'is', null)
      .executeTakeFirst();
    if (!server) return null;
    const { id, name, game, found: findings } = server;
    const list = await listOf(id);
    const dependencies = game === 'minecraft' && list ? packDependencies(list) : null;
    const mods = listedMods({ name, game, list, findings }, dependencies ? packHosts : []);
    return { name, game, list, mods, dependencies };
  };

  return {
    async of(serverId) {
      const row = await db
        .selectFrom('mod_player_lists')
        .select('token')
        .where('server_id', '=', serverId)
        .executeTakeFirst();
      return row ? { url: urlOf(row.token) } : null;
    },

    async share(serverId, isShared, by) {
      if (!may(by.actor, 'mods.write', serverId))
        return refuse('FORBIDDEN', 'This needs the permission mods.write for this server.');
      const token = newSecretText();
      return db.transaction().execute(async (trx) => {
        const server = await trx
          .selectFrom('game_servers')
          .select('id')
          .where('id', '=', serverId)
          .executeTakeFirst();
        if (!server) return refuse('NOT_FOUND');
        if (isShared)
          await trx
            .insertInto('mod_player_lists')
            .values({ server_id: serverId, token })
            .onConflict((conflict) => conflict.column('server_id').doUpdateSet({ token }))
            .execute();
        else await trx.deleteFrom('mod_player_lists').where('server_id', '=', serverId).execute();
        const target = `server:${serverId}`;
        await recordAudit(trx, { ...by, action: 'mods.share-player-list', target, after: { isShared } });
        return { playerList: isShared ? { url: urlOf(token) } : null };
      });
    },

    async read(token) {
      const server = await find(token);
      if (!server) return refuse('NOT_FOUND');
      const { name, game, list, mods, dependencies } = server;
      return {
        server: name,
        game,
        gameVersion: list?.gameVersion ?? null,
        loader: list?.loader ?? null,
        loaderVersion: list?.loaderVersion ?? null,
        mods: mods.map(({ file, ...mod }) => ({ ...mod, isInPack: file !== null })),
        hasPack: dependencies !== null && mods.some(({ file }) => file !== null),
      };
    },

    async pack(token) {
      const server = await find(token);
      if (!server?.dependencies || !server.mods.some(({ file }) => file !== null)) return refuse('NOT_FOUND');
      return makePack(server.name, server.dependencies, server.mods);
    },
  };
};

const urlOf = (token: string): string => modsHttp.playerPage.path.replace(':token', token);
