import type { Kysely } from 'kysely';
import type { AuditAction } from '#contracts/kernel/audit-actions.ts';
import { storableText } from '#contracts/kernel/storable-text.ts';
import type { ModerationAction, ModerationReport } from '#contracts/people/players.ts';
import { type GameId, games } from '#contracts/servers/games.ts';
import type { ActionForms, PlayerReference, Verdict } from '#games/game.ts';
import { gameOf } from '#games/games.ts';
import { may } from '../../kernel/access/actor.ts';
import type { AuditContext } from '../../kernel/access/audit-context.ts';
import { thisMachine } from '../../kernel/access/authorize.ts';
import { scopeOf } from '../../kernel/access/player-scope.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import { isRefusal, type Refusal, refuse } from '../../kernel/http/refusal.ts';
import type { Servers } from '../../servers/servers.ts';
import type { Bans } from '../bans/bans.ts';
import type { Presence } from './presence.ts';
import { readPlayers, type StoredPlayer } from './read-players.ts';
import { playerNameKey } from './seen-player.ts';

/** Actions on players; they require players.write on the server in question. */
export type ModerationActions = ReturnType<typeof createModerationActions>;

/** In characters. */
const longestId = 64;
/** How long to wait for the game's answer. */
const timeoutMs = 15_000;

export const createModerationActions = ({
  db,
  directory,
  console,
  presence,
  bans,
}: {
  readonly db: Kysely<Tables>;
  readonly directory: { get(id: string): { readonly game: GameId } | null };
  readonly console: Pick<Servers['console'], 'give'>;
  readonly presence: Pick<Presence, 'openSessions'>;
  /** Bans are kept, so that they also reach a server that is away. */
  readonly bans: Pick<Bans, 'banOn' | 'unbanOn'>;
}) => {
  /** The server's game, if the actor may give orders to it. */
  const gameOn = async (serverId: string, { actor }: AuditContext): Promise<GameId | Refusal> => {
    if (!may(actor, 'players.write', serverId))
      return refuse('FORBIDDEN', 'This needs players.write for the server.');
    const server = directory.get(serverId);
    if (server) return server.game;
    const known = await db
      .selectFrom('game_servers')
      .select('id')
      .where('id', '=', storableText(serverId, longestId))
      .executeTakeFirst();
    return refuse(known ? 'SERVER_ARCHIVED' : 'NOT_FOUND');
  };

  const carryOut = async <Input>(
    { serverId, forms, input, game, ...named }: Order<Input>,
    by: AuditContext,
  ): Promise<ModerationReport | Refusal> => {
    if (!forms) return refuse('NO_SUCH_COMMAND', `${games[game].name} has no such command.`);
    const rendered = forms.render(input);
    if ('refused' in rendered) return refuse('NO_SUCH_COMMAND', rendered.refused);
    const given = await console.give({ serverId, command: rendered.command, timeoutMs, ...named }, by);
    if (isRefusal(given)) return given;
    const { outcome, reply } = given.result;
    if (outcome !== 'answered' || reply === null)
      return { outcome, verdict: null, detail: given.entry.reply ?? '' };
    const { verdict, reason } = forms.read(reply, input);
    return { outcome, verdict, detail: reason };
  };

  const referenceTo = async (
    player: StoredPlayer,
    serverId: string,
    game: GameId,
  ): Promise<PlayerReference> => {
    const session = presence
      .openSessions()
      .find((one) => one.serverId === serverId && one.playerId === player.id);
    const name = session?.name ?? ((await wasSeenIn(db, player, game)) ? player.name : undefined);
    return {
      name,
      platformId: player.platform_id ?? undefined,
      handle: session?.handle === '' ? undefined : session?.handle,
    };
  };

  return {
    async order(
      playerId: string,
      { serverId, action, text }: ModerationAction,
      by: AuditContext,
    ): Promise<ModerationReport | Refusal> {
      const game = await gameOn(serverId, by);
      if (isRefusal(game)) return game;
      const scope = scopeOf(by.actor, ['players.read', 'players.write']);
      const [found] = await readPlayers(db, scope, { playerId, beyond: null, limit: 1 });
      if (!found) return refuse('NOT_FOUND');
      if (action === 'ban') return bans.banOn({ playerId, serverId, reason: text }, by);
      if (action === 'unban') return bans.unbanOn({ playerId, serverId }, by);
      const player = await referenceTo(found, serverId, game);
      const named = { action: `players.${action}`, target: `player:${playerId}` } as const;
      const order = { serverId, game, ...named };
      const { actions } = gameOf(game);
      switch (action) {
        case 'message':
          return carryOut({ ...order, forms: actions.message, input: { player, message: text }, text }, by);
        case 'kick':
          return carryOut({ ...order, forms: actions.kick, input: { player, reason: text }, text }, by);
        case 'whitelist-add':
        case 'whitelist-remove':
          return carryOut({ ...order, forms: actions[action], input: { player } }, by);
      }
    },
    /**
     * Sends a message from Castellan to one player. @param isPersonal only sent to a player who is online and the only one
     * there of that name, since some games whisper by name @param secret a part of the text that no one else may read; implies
     * personal
     */
    async whisper({
      playerId,
      serverId,
      text,
      secret,
      isPersonal = secret !== undefined,
    }: {
      readonly playerId: string;
      readonly serverId: string;
      readonly text: string;
      readonly secret?: string;
      readonly isPersonal?: boolean;
    }): Promise<ModerationReport | Refusal> {
      const server = directory.get(serverId);
      const [found] = await readPlayers(db, null, { playerId, beyond: null, limit: 1 });
      if (!server || !found) return refuse('NOT_FOUND');
      if (isPersonal && !isAlone(presence.openSessions(), { playerId, serverId }))
        return refuse('NOT_FOUND', 'The player is not there, or shares a name with another one.');
      const { game } = server;
      const player = await referenceTo(found, serverId, game);
      const forms = gameOf(game).actions.message;
      const named = {
        action: 'players.whisper' as const,
        target: `player:${playerId}`,
        ...(secret && { secret }),
      };
      return carryOut(
        { serverId, game, ...named, forms, input: { player, message: text } },
        itself(`chat-${serverId}`),
      );
    },
    /** Lets Castellan keep the whitelist in step with a Discord role. */
    async whitelist({
      playerId,
      serverId,
      action,
    }: {
      readonly playerId: string;
      readonly serverId: string;
      readonly action: 'whitelist-add' | 'whitelist-remove';
    }): Promise<ModerationReport | Refusal> {
      const server = directory.get(serverId);
      const [found] = await readPlayers(db, null, { playerId, beyond: null, limit: 1 });
      if (!server || !found) return refuse('NOT_FOUND');
      const { game } = server;
      const player = await referenceTo(found, serverId, game);
      const named = { action: `players.${action}`, target: `player:${playerId}` } as const;
      const order = { serverId, game, ...named, forms: gameOf(game).actions[action], input: { player } };
      return carryOut(order, itself(`discord-roles-${serverId}`));
    },
    async broadcast(serverId: string, text: string, by: AuditContext): Promise<ModerationReport | Refusal> {
      const game = await gameOn(serverId, by);
      if (isRefusal(game)) return game;
      const forms = gameOf(game).actions.broadcast;
      const named = { action: 'players.broadcast' as const, target: `server:${serverId}` };
      return carryOut({ serverId, game, ...named, forms, input: { message: text } }, by);
    },
  };
};

const isAlone = (
  sessions: ReturnType<Presence['openSessions']>,
  player: { readonly playerId: string; readonly serverId: string },
): boolean => {
  const there = sessions.filter(({ serverId }) => serverId === player.serverId);
  const namesOf = ({ name, handle }: (typeof there)[number]) => [name, handle].map(playerNameKey);
  const own = there.find(({ playerId }) => playerId === player.playerId);
  if (!own) return false;
  const names = new Set(namesOf(own).filter((name) => name !== ''));
  return there.every((other) => other === own || !namesOf(other).some((name) => names.has(name)));
};

/** No person asks. Each server has its own actor, so that a hanging game holds up no other. */
const itself = (id: string): AuditContext => ({
  actor: { ...thisMachine, id },
  address: '127.0.0.1',
});

interface Order<Input> {
  readonly serverId: string;
  readonly game: GameId;
  readonly action: AuditAction;
  readonly target: string;
  readonly secret?: string;
  readonly text?: string;
  readonly forms: Forms<Input> | null;
  readonly input: Input;
}
interface Forms<Input> {
  render(input: Input): ReturnType<ActionForms<'save'>['render']>;
  read(reply: string, input: Input): Verdict;
}

/** In another game, the name belongs to someone else. */
const wasSeenIn = async (db: Kysely<Tables>, player: StoredPlayer, game: GameId): Promise<boolean> => {
  if (player.game === game) return true;
  const session = await db
    .selectFrom('player_sessions as session')
    .innerJoin('game_servers as server', 'server.id', 'session.server_id')
    .select('session.id')
    .where('session.player_id', '=', player.id)
    .where('server.game', '=', game)
    .limit(1)
    .executeTakeFirst();
  return session !== undefined;
};
