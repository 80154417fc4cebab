import { type Kysely, sql } from 'kysely';
import type { ServerPlayers } from '#contracts/people/players.ts';
import type { ChatTrial, ServerChat, UnreadLines } from '#contracts/servers/chat-forms.ts';
import type { GameId } from '#contracts/servers/games.ts';
import { gameOf } from '#games/games.ts';
import { type Actor, may } from '../../kernel/access/actor.ts';
import type { AuditContext } from '../../kernel/access/audit-context.ts';
import { recordAudit } from '../../kernel/audit/record-audit.ts';
import type { Tables } from '../../kernel/database/tables.ts';
import { isRefusal, type Refusal, refuse } from '../../kernel/http/refusal.ts';
import type { AgentGateway } from '../agents/agent-gateway.ts';
import type { KeptLines } from '../console/kept-lines.ts';
import type { ServerDirectory } from '../game-servers/server-directory.ts';
import type { ChosenForms } from './chosen-forms.ts';

/** What a server's Game Agent says about its reading of chat. */
interface ReportedReading {
  /** How many forms it reads with. */
  readonly forms: number;
  readonly unread: UnreadLines;
}

interface Server {
  readonly id: string;
  readonly game: GameId;
}

export type ChatForms = ReturnType<typeof createChatForms>;

const mostLines = 200;
const mostShown = 30;
/** Names of players who were there lately, since no one may be there while the owner looks. */
const recentDays = 7;
const mostNames = 300;

/** In which forms the chat of servers is read from their logs, beside the one of the game. */
export const createChatForms = ({
  db,
  directory,
  agents,
  chosenForms,
  keptLines,
  playersOn,
}: {
  readonly db: Kysely<Tables>;
  readonly directory: ServerDirectory;
  readonly agents: AgentGateway;
  readonly chosenForms: ChosenForms;
  readonly keptLines: KeptLines;
  readonly playersOn: (serverId: string) => ServerPlayers;
}) => {
  const reports = new Map<string, ReportedReading>();

  const namesOf = async (serverId: string): Promise<string[]> => {
    const rows = await db
      .selectFrom('player_sessions')
      .innerJoin('players', 'players.id', 'player_sessions.player_id')
      .where('player_sessions.server_id', '=', serverId)
      .where('player_sessions.joined_at', '>', sql<Date>`now() - ${recentDays} * interval '1 day'`)
      .select('players.name')
      .distinct()
      .limit(mostNames)
      .execute();
    const online = playersOn(serverId).players ?? [];
    return [...new Set([...online, ...rows].map(({ name }) => name))];
  };
  const shown = (
    { id, game }: Server,
    row: { readonly forms: string[]; readonly version: number } | undefined,
    heardAt: Date | undefined,
    actor: Actor,
  ): ServerChat => {
    const report = reports.get(id);
    return {
      serverId: id,
      takesForms: gameOf(game).chatForms !== undefined,
      forms: row?.forms ?? [],
      version: row?.version ?? 0,
      heardAt: heardAt?.toISOString() ?? null,
      isRead: report === undefined ? null : report.forms === (row?.forms.length ?? 0),
      unread: report !== undefined && may(actor, 'console.read', id) ? report.unread : null,
    };
  };
  /** By server: one look into the index of events for each. */
  const lastHeard = async (): Promise<ReadonlyMap<string, Date>> => {
    const { rows } = await sql<{ id: string; at: Date }>`
      select server.id, said.at from game_servers as server, lateral (
        select at from event_logs
        where server_id = server.id and kind = 'chat.message' and severity = 'info'
        order by at desc limit 1) as said`.execute(db);
    return new Map(rows.map(({ id, at }) => [id, at]));
  };
  const rowOf = (serverId: string, on = db) =>
    on.selectFrom('chat_forms').selectAll().where('server_id', '=', serverId).executeTakeFirst();

  return {
    /** The agent's own word about its reading. */
    reported: (serverId: string, reading: ReportedReading): void => void reports.set(serverId, reading),
    async list(actor: Actor): Promise<ServerChat[]> {
      const rows = await db.selectFrom('chat_forms').selectAll().execute();
      const heard = await lastHeard();
      return directory
        .all()
        .filter(({ id }) => may(actor, 'servers.read', id))
        .map((server) =>
          shown(
            server,
            rows.find(({ server_id }) => server_id === server.id),
            heard.get(server.id),
            actor,
          ),
        );
    },

    async trial(serverId: string, forms: readonly string[], actor: Actor): Promise<ChatTrial | Refusal> {
      if (!may(actor, 'console.read', serverId)) return refuse('FORBIDDEN');
      const server = directory.get(serverId);
      if (!server) return refuse('NOT_FOUND');
      const reader = gameOf(server.game).chatForms;
      if (!reader) return { lines: [], proposals: [] };
      const kept = await keptLines(serverId, { limit: mostLines }, actor);
      if (isRefusal(kept)) return kept;
      const lines = kept.rows.map(({ text }) => text);
      const names = await namesOf(serverId);
      const usable = forms.filter((form) => reader.faultOf(form) === null);
      const tried = lines.flatMap((line): ChatTrial['lines'] => {
        const seen = reader.read(line, usable, names);
        if (seen?.kind === 'chat') return [{ line, name: seen.player.name, text: seen.text }];
        return reader.isUnread(line, usable, names) ? [{ line, name: null, text: null }] : [];
      });
      return { lines: tried.slice(0, mostShown), proposals: reader.propose(lines, usable, names) };
    },

    async set(
      serverId: string,
      { version, forms }: { readonly version: number; readonly forms: readonly string[] },
      by: AuditContext,
    ): Promise<ServerChat | Refusal> {
      if (!may(by.actor, 'servers.write', serverId)) return refuse('FORBIDDEN');
      const server = directory.get(serverId);
      if (!server) return refuse('NOT_FOUND');
      const reader = gameOf(server.game).chatForms;
      const wanted = [...new Set(forms)];
      const faulty = wanted.find((form) => reader === undefined || reader.faultOf(form) !== null);
      if (faulty !== undefined)
        return refuse('INVALID_REQUEST', `This form could be read in several ways: ${faulty}`);
      const written = await db.transaction().execute(async (trx) => {
        await sql`lock table chat_forms in share row exclusive mode`.execute(trx);
        const before = await rowOf(serverId, trx);
        if ((before?.version ?? 0) !== version) return refuse('CONFLICT');
        const row = { forms: wanted, version: version + 1, changed_at: sql<Date>`now()` };
        const after = await trx
          .insertInto('chat_forms')
          .values({ server_id: serverId, ...row })
          .onConflict((conflict) => conflict.column('server_id').doUpdateSet(row))
          .returningAll()
          .executeTakeFirstOrThrow();
        await recordAudit(trx, {
          ...by,
          action: 'servers.change-chat-forms',
          target: `server:${serverId}`,
          before: { forms: before?.forms ?? [] },
          after: { forms: wanted },
        });
        return after;
      });
      if (isRefusal(written)) return written;
      chosenForms.set(serverId, wanted);
      reports.delete(serverId);
      agents.tellChatForms(serverId, wanted);
      return shown(server, written, (await lastHeard()).get(serverId), by.actor);
    },
  };
};
