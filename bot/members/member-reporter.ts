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
} from '#contracts/discord/discord-guild.ts';
import { backOffDelay } from '#runtime/back-off.ts';
import { sleep } from '#runtime/sleep.ts';
import { ApiFault, ApiProblem } from '../api-client.ts';
import type { BotFeature } from '../guild-features.ts';

/** As many as Discord lists in one answer. */
const pageSize = 1000;
const retry = { firstMs: 1000, mostMs: 30_000 } as const;
/** If more changes than this wait, a new list is shorter. */
const mostWaiting = 10_000;
/** The wait after a list that failed, for example because another bot reports, too. */
const betweenLists = { firstMs: 1000, mostMs: 600_000 } as const;
/** A list with less than this share of the members that Discord counts does not count as complete. */
const leastShare = 0.9;

/**
 * Reports to the API who is on the Discord server: a full list at first and whenever changes may have been missed, and
 * changes as they arrive. Lists are read page by page and members are never cached, so a large server costs no memory.
 */
export const memberReporter: BotFeature = ({ client, guildId, api, log, signal, interval }) => {
  const wakes = new EventTarget();
  /** In order, not reported yet. */
  let waiting: MemberChange[] = [];
  /** Members who left since the list began: what arrives about them later is out of date. */
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

  // Not the events of discord.js, which leave out members that are not in its cache.
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
  // After an outage, and in a session that is new rather than resumed, Discord does not report what happened in between.
  const onAvailable = ({ id }: Guild) => {
    if (id === guildId) listAgain();
  };
  client.on(Events.GuildAvailable, onAvailable);

  /** Retries until it succeeds or the session ends. */
  const persist = async <Result>(what: string, work: () => Promise<Result>): Promise<Result | null> => {
    for (let failures = 1; !signal.aborted; failures += 1) {
      try {
        return await work();
      } catch (error) {
        if (signal.aborted) break;
        // An unreachable API is not worth a warning.
        log[error instanceof ApiFault ? 'debug' : 'warn']({ err: error }, what);
        await sleep(interval(backOffDelay(retry, failures)), signal);
      }
    }
    return null;
  };

  const report = async (changes: MemberChange[], endsList = false): Promise<void> => {
    const body = { guildId, run, number, changes, endsList };
    const answer = await persist('could not report members of the Discord server', () =>
      api.call(discordGuildBotHttp.reportMembers, { body }, { signal }).catch((error: unknown) => {
        if (!isForGood(error)) throw error;
        log.warn({ err: error }, 'the API rejected a report of members of the Discord server');
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
    persist('could not list the members of the Discord server', async () => {
      const query = makeURLSearchParams({ limit: pageSize, after });
      return (await client.rest.get(Routes.guildMembers(guildId), { query, signal })) as APIGuildMember[];
    });

  const list = async (): Promise<void> => {
    await delay(failedLists === 0 ? 0 : interval(backOffDelay(betweenLists, failedLists)), undefined, {
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
      // Changes since the page was requested are newer than the page.
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
      log.warn({ listed, counted }, 'Discord listed only some members of the Discord server');
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
    log.error({ err: error }, 'stopped reporting members of the Discord server'),
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

/** Whether sending it again would be refused again; refusals for a missing license or a limit would not. */
const isForGood = (error: unknown): boolean =>
  error instanceof ApiProblem && error.status < 500 && ![401, 403, 429].includes(error.status);

const idOf = (change: MemberChange): string => (change.kind === 'left' ? change.id : change.member.id);

type RawMember = Pick<APIGuildMember, 'user' | 'roles'> & {
  readonly pending?: boolean | undefined;
  readonly nick?: string | null | undefined;
  readonly joined_at?: string | null | undefined;
};

const toReported = ({ user, nick, roles, joined_at, pending }: RawMember): ReportedMember => ({
  id: user.id,
  name: nick ?? user.global_name ?? user.username,
  username: user.username,
  roleIds: roles,
  isBot: user.bot ?? false,
  ...(pending === true ? { isPending: true } : {}),
  joinedAt: timeOf(joined_at),
});

/** Null if Discord, or a proxy in front of it, sends no readable time. */
const timeOf = (text: string | null | undefined): string | null => {
  const ms = Date.parse(text ?? '');
  return Number.isNaN(ms) ? null : new Date(ms).toISOString();
};
