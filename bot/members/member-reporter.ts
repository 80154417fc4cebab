import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import {
  type APIGuildMember,
  Events,
  GatewayDispatchEvents,
  type GatewayGuildMemberAddDispatchData,
  type GatewayGuildMemberRemoveDispatchData,
  type GatewayGuildMemberUpdateDispatchData,
  type Guild,
  makeURLSearchParams,
  Routes,
} from 'discord.js';
import {
  discordGuildBotHttp,
  type MemberChange,
  mostMemberChanges,
  type ReportedMember,
} from '#contracts/discord-guild.ts';
import { backOffDelay } from '#runtime/back-off.ts';
import { ApiFault, ApiProblem } from '../api-client.ts';
import type { BotFeature } from '../guild-features.ts';

/** As many as Discord lists in one answer. */
const pageSize = 1000;
const retry = { firstMs: 1000, mostMs: 30_000 } as const;
/** With more than that, a new list is shorter. */
const mostWaiting = 10_000;
/** Between lists that came to nothing, as when another bot reports, too. */
const betweenLists = { firstMs: 1000, mostMs: 600_000 } as const;
/** A list with fewer than this share of the members that Discord counts is none. */
const leastShare = 0.9;

/**
 * Tells the API who is on the Discord server: a list of all at first and whenever changes may have been missed, and
 * changes as they come. Lists are read page by page and members are never cached, so that a large server costs no memory.
 */
export const memberReporter: BotFeature = ({ client, guildId, api, log, signal }) => {
  const wakes = new EventTarget();
  /** In their order, not reported yet. */
  let waiting: MemberChange[] = [];
  /** Who left since the list was begun: what comes late of them is older than that. */
  const gone = new Set<string>();
  let mustList = true;
  let failedLists = 0;
  let run = '';
  let number = 0;

  const wake = () => wakes.dispatchEvent(new Event('wake'));
  const changed = (change: MemberChange) => {
    const id = idOf(change);
    if (change.kind === 'there' && gone.has(id)) return;
    if (change.kind === 'left') gone.add(id);
    else gone.delete(id);
    const [oldest] = gone;
    if (oldest !== undefined && gone.size > mostWaiting) gone.delete(oldest);
    waiting.push(change);
    if (waiting.length > mostWaiting) listAgain();
    wake();
  };
  const listAgain = () => {
    waiting = [];
    mustList = true;
    wake();
  };

  // Not the events of discord.js: those leave out members that are not in its cache.
  const onAdd = (data: GatewayGuildMemberAddDispatchData) => {
    if (data.guild_id === guildId) changed({ kind: 'joined', member: toReported(data) });
  };
  const onUpdate = (data: GatewayGuildMemberUpdateDispatchData) => {
    if (data.guild_id === guildId) changed({ kind: 'there', member: toReported(data) });
  };
  const onRemove = (data: GatewayGuildMemberRemoveDispatchData) => {
    if (data.guild_id === guildId) changed({ kind: 'left', id: data.user.id });
  };
  client.ws.on(GatewayDispatchEvents.GuildMemberAdd, onAdd);
  client.ws.on(GatewayDispatchEvents.GuildMemberUpdate, onUpdate);
  client.ws.on(GatewayDispatchEvents.GuildMemberRemove, onRemove);
  // After an outage, and in a session that is new and not resumed: what happened meanwhile is not told.
  const onAvailable = ({ id }: Guild) => {
    if (id === guildId) listAgain();
  };
  client.on(Events.GuildAvailable, onAvailable);

  /** Until it is done, or the session ends. */
  const persist = async <Result>(what: string, work: () => Promise<Result>): Promise<Result | null> => {
    for (let failures = 1; !signal.aborted; failures += 1) {
      try {
        return await work();
      } catch (error) {
        if (signal.aborted) break;
        // An API that is away is nothing to tell of.
        log[error instanceof ApiFault ? 'debug' : 'warn']({ err: error }, what);
        await delay(backOffDelay(retry, failures), undefined, { signal }).catch(() => undefined);
      }
    }
    return null;
  };

  const report = async (changes: MemberChange[], endsList = false): Promise<void> => {
    const body = { guildId, run, number, changes, endsList };
    const answer = await persist('members of the Discord server cannot be reported', () =>
      api.call(discordGuildBotHttp.reportMembers, { body }, { signal }).catch((error: unknown) => {
        if (!isForGood(error)) throw error;
        log.warn({ err: error }, 'the API does not take a report of members of the Discord server');
        return { isCurrent: false };
      }),
    );
    number += 1;
    if (answer?.isCurrent === false) listAgain();
  };
  const reportWaiting = async (): Promise<void> => {
    while (waiting.length > 0 && !mustList && !signal.aborted)
      await report(waiting.splice(0, mostMemberChanges));
  };

  const readPage = (after: string): Promise<APIGuildMember[] | null> =>
    persist('Discord does not list the members of the Discord server', async () => {
      const query = makeURLSearchParams({ limit: pageSize, after });
      return (await client.rest.get(Routes.guildMembers(guildId), { query, signal })) as APIGuildMember[];
    });

  const list = async (): Promise<void> => {
    await delay(failedLists === 0 ? 0 : backOffDelay(betweenLists, failedLists), undefined, {
      signal,
    }).catch(() => undefined);
    failedLists += 1;
    mustList = false;
    gone.clear();
    for (const change of waiting) if (change.kind === 'left') gone.add(change.id);
    let listed = 0;
    run = randomUUID();
    number = 0;
    for (let after: string | undefined = '0'; after !== undefined; ) {
      await reportWaiting();
      const page = await readPage(after);
      if (!page || mustList) return;
      // What has changed since the page was asked for is newer than the page.
      const newer = new Set(waiting.map(idOf));
      const isOld = ({ user }: APIGuildMember) => newer.has(user.id) || gone.has(user.id);
      const told = page.filter((member) => !isOld(member)).map(toReported);
      listed += page.length;
      while (told.length > 0 && !mustList && !signal.aborted)
        await report(told.splice(0, mostMemberChanges).map((member) => ({ kind: 'there', member })));
      after = page.at(-1)?.user.id;
    }
    await reportWaiting();
    if (mustList || signal.aborted) return;
    const counted = client.guilds.cache.get(guildId)?.memberCount ?? 0;
    if (listed < counted * leastShare) {
      log.warn({ listed, counted }, 'Discord does not list all members of the Discord server');
      return listAgain();
    }
    await report([], true);
    if (!mustList) failedLists = 0;
  };

  const loop = async (): Promise<void> => {
    while (!signal.aborted) {
      const waking = new AbortController();
      const woken = once(wakes, 'wake', { signal: AbortSignal.any([signal, waking.signal]) }).catch(
        () => undefined,
      );
      if (mustList) await list();
      await reportWaiting();
      if (mustList || waiting.length > 0) waking.abort();
      await woken;
    }
  };
  const ended = loop().catch((error: unknown) =>
    log.error({ err: error }, 'members of the Discord server are not reported any more'),
  );

  return {
    async [Symbol.asyncDispose]() {
      client.ws.off(GatewayDispatchEvents.GuildMemberAdd, onAdd);
      client.ws.off(GatewayDispatchEvents.GuildMemberUpdate, onUpdate);
      client.ws.off(GatewayDispatchEvents.GuildMemberRemove, onRemove);
      client.off(Events.GuildAvailable, onAvailable);
      await ended;
    },
  };
};

/** Sent again, it would be refused again; without a license, or by a limit, it would not. */
const isForGood = (error: unknown): boolean =>
  error instanceof ApiProblem && error.status < 500 && ![401, 403, 429].includes(error.status);

const idOf = (change: MemberChange): string => (change.kind === 'left' ? change.id : change.member.id);

type RawMember = Pick<APIGuildMember, 'user' | 'roles'> & {
  readonly nick?: string | null | undefined;
  readonly joined_at?: string | null | undefined;
};

const toReported = ({ user, nick, roles, joined_at }: RawMember): ReportedMember => ({
  id: user.id,
  name: nick ?? user.global_name ?? user.username,
  username: user.username,
  roleIds: roles,
  isBot: user.bot ?? false,
  joinedAt: timeOf(joined_at),
});

/** Null where Discord, or what speaks in its place, writes none that can be read. */
const timeOf = (text: string | null | undefined): string | null => {
  const ms = Date.parse(text ?? '');
  return Number.isNaN(ms) ? null : new Date(ms).toISOString();
};
