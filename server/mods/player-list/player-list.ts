import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { type Kysely, sql } from 'kysely';
import type { EndpointResponse } from '#contracts/kernel/http.ts';
import { modsHttp } from '#contracts/mods/mods-http.ts';
import type { ModsList } from '#contracts/servers/agent-mods.ts';
import type { GameId } from '#contracts/servers/games.ts';
import { isSecretText, newSecretText } from '#runtime/auth/secret-token.ts';
import { may } from '../../kernel/access/actor.ts';
import type { AuditContext } from '../../kernel/access/audit-context.ts';
import { recordAudit } from '../../kernel/audit/record-audit.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import { type Refusal, refuse } from '../../kernel/http/refusal.ts';
import { listedMods } from './listed-mods.ts';
import { makePack, packDependencies } from './player-pack.ts';

type Shared = { readonly url: string } | null;
export type PlayerListAnswer = EndpointResponse<typeof modsHttp.playerList>;

/** The mods players need, for everyone who knows the address. */
export type PlayerList = ReturnType<typeof createPlayerList>;

interface SharedServer {
  readonly id: string;
  readonly name: string;
  readonly game: GameId;
  /** Changes whenever the list, or what is known about its mods, is written. */
  readonly revision: string;
}

interface MadeList {
  readonly answer: PlayerListAnswer;
  /** Null: there is no pack. */
  readonly makePack: (() => Promise<Buffer>) | null;
}

/** How many made lists are cached; more servers than a community has. */
const mostKept = 200;

export const createPlayerList = ({
  db,
  listOf,
  packHosts,
}: {
  readonly db: Kysely<Tables>;
  /** As the server's agent last reported; null: none has. */
  readonly listOf: (serverId: string) => Promise<ModsList | null>;
  /** The hosts whose files a pack may name. */
  readonly packHosts: readonly string[];
}) => {
  /** By server. Strangers may ask as often as they like, so a list, which is megabytes, is read once per revision. */
  const kept = new Map<string, { readonly revision: string; readonly made: Promise<MadeList> }>();

  const find = async (token: string): Promise<SharedServer | null> =>
    // Text that cannot be a token is not looked up.
    isSecretText(token)
      ? ((await db
          .selectFrom('mod_player_lists as shared')
          .innerJoin('game_servers as server', 'server.id', 'shared.server_id')
          .leftJoin('server_mods as told', 'told.server_id', 'shared.server_id')
          .leftJoin('mod_checks as checked', 'checked.server_id', 'shared.server_id')
          .select(['server.id', 'server.name', 'server.game'])
          .select(sql<string>`concat_ws(' ', server.xmin, told.xmin, 'checked', checked.xmin)`.as('revision'))
          .where('shared.token', '=', token)
          .where('server.archived_at', 'is', null)
          .executeTakeFirst()) ?? null)
      : null;

  const make = async ({ id, name, game }: SharedServer): Promise<MadeList> => {
    const checked = await db
      .selectFrom('mod_checks')
      .select('found')
      .where('server_id', '=', id)
      .executeTakeFirst();
    const list = await listOf(id);
    const dependencies = list && packDependencies(list);
    const mods = listedMods(
      { name, game, list, findings: checked?.found ?? null },
      dependencies ? packHosts : [],
    );
    const hasPack = dependencies !== null && mods.some(({ file }) => file !== null);
    let pack: Promise<Buffer> | null = null;
    return {
      answer: {
        server: name,
        game,
        gameVersion: list?.gameVersion ?? null,
        loader: list?.loader ?? null,
        loaderVersion: list?.loaderVersion ?? null,
        mods: mods.map(({ file, ...mod }) => ({ ...mod, isInPack: file !== null })),
        hasPack,
      },
      makePack: hasPack
        ? () => {
            pack ??= buffer(makePack(name, dependencies, mods));
            return pack;
          }
        : null,
    };
  };

  /** @returns null: no list is shared under it */
  const madeList = async (token: string): Promise<MadeList | null> => {
    const server = await find(token);
    if (!server) return null;
    const { id, revision } = server;
    const before = kept.get(id);
    if (before?.revision === revision) return before.made;
    const made = make(server);
    kept.delete(id);
    kept.set(id, { revision, made });
    const [oldest] = kept.keys();
    if (kept.size > mostKept && oldest !== undefined) kept.delete(oldest);
    // A failure must not be cached.
    made.catch(() => kept.delete(id));
    return made;
  };

  return {
    async of(serverId: string): Promise<Shared> {
      const row = await db
        .selectFrom('mod_player_lists')
        .select('token')
        .where('server_id', '=', serverId)
        .executeTakeFirst();
      return row ? { url: urlOf(row.token) } : null;
    },

    async share(
      serverId: string,
      isShared: boolean,
      by: AuditContext,
    ): Promise<{ readonly playerList: Shared } | Refusal> {
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

    async read(token: string): Promise<PlayerListAnswer | Refusal> {
      return (await madeList(token))?.answer ?? refuse('NOT_FOUND');
    },

    async pack(token: string): Promise<Readable | Refusal> {
      const made = await madeList(token);
      return made?.makePack ? Readable.from([await made.makePack()]) : refuse('NOT_FOUND');
    },
  };
};

const urlOf = (token: string): string => modsHttp.playerPage.path.replace(':token', token);
