import { Events, type GatewayDispatchPayload } from 'discord.js';
import {
  discordStatusBotHttp,
  type RemovedMessage,
  type StatusOutcome,
} from '#contracts/discord/discord-status.ts';
import { ApiProblem } from '../api-client.ts';
import { createApiPolling } from '../api-polling.ts';
import type { BotFeature } from '../guild-features.ts';
import { type HeldMessage, newHeld, takeOutcome, waitAfterDoubt, waitAfterRefusal } from './held-message.ts';
import { deleteStatus, isWanting, type Written, writeAway, writeStatus } from './write-status.ts';

interface StatusTiming {
  /** How often the API is asked. */
  readonly pollMs: number;
  /** The least time between two edits of a message; each edit shows the newest state. */
  readonly betweenEditsMs: number;
  /** After this long without the API, messages say that nothing is known. */
  readonly awayAfterMs: number;
  /** The first wait after a request whose outcome is in doubt. */
  readonly retryMs: number;
}
const usualTiming: StatusTiming = {
  pollMs: 2000,
  betweenEditsMs: 15_000,
  awayAfterMs: 120_000,
  retryMs: 1000,
};

interface Removal {
  readonly removed: RemovedMessage;
  isBusy: boolean;
  failures: number;
  notBeforeMs: number;
}

/**
 * Keeps the messages that show how servers are. Each is worked on separately, so that none waits for another channel.
 * The API is told the outcome afterwards; an outcome that it missed is read back from Discord.
 */
export const statusKeeper =
  (timing: Partial<StatusTiming> = {}): BotFeature =>
  ({ client, guildId, api, log, signal, interval }) => {
    const { pollMs, betweenEditsMs, awayAfterMs, retryMs } = { ...usualTiming, ...timing };
    const writing = { client, signal };
    const held = new Map<string, HeldMessage>();
    const removals = new Map<string, Removal>();
    /** For the API, in order. */
    const untold: { readonly id: string; readonly outcome: StatusOutcome | 'removed' }[] = [];
    const underWay = new Set<Promise<void>>();
    const { wake, poll } = createApiPolling({ log, signal, interval });
    let answeredAt = new Date();
    // Monotonic, since the wall clock may be changed.
    let answeredMs = performance.now();

    const uncheck = (isIt: (one: HeldMessage) => boolean) => {
      const meant = [...held.values()].filter(isIt);
      for (const one of meant) one.isChecked = false;
      // Most deleted messages are not ours.
      if (meant.length > 0) wake();
    };
    // discord.js reports deletions only of messages that it has cached.
    const onRaw = (packet: GatewayDispatchPayload) => {
      const ids =
        packet.t === 'MESSAGE_DELETE'
          ? [packet.d.id]
          : packet.t === 'MESSAGE_DELETE_BULK'
            ? packet.d.ids
            : [];
      if (ids.length > 0) uncheck(({ order }) => order.messageId !== null && ids.includes(order.messageId));
    };
    const onReady = () => uncheck(() => true);
    client.on(Events.Raw, onRaw);
    client.on(Events.ShardReady, onReady);

    const start = (one: { isBusy: boolean }, work: () => Promise<void>) => {
      one.isBusy = true;
      const ended = work()
        .catch((error: unknown) => {
          if (!signal.aborted) log.error({ err: error }, 'could not update a status message');
        })
        .then(() => {
          one.isBusy = false;
          underWay.delete(ended);
        });
      underWay.add(ended);
    };

    const tellLater = (id: string, outcome: StatusOutcome | 'removed') => {
      untold.push({ id, outcome });
      wake();
    };
    const take = (one: HeldMessage, written: Written) => {
      if (written === 'in-doubt') {
        one.isChecked = false;
        waitAfterDoubt(one, retryMs);
      } else if (written) {
        if (written.outcome === 'refused')
          log.warn({ message: one.order.id }, 'Discord rejects a status message');
        takeOutcome(one, written);
        tellLater(one.order.id, written);
      }
    };
    const keep = async (one: HeldMessage) => take(one, await writeStatus(writing, one));
    const sayAway = async (one: HeldMessage) => {
      // The API does not know what the message shows from now on: it is checked again once the API is back.
      one.isChecked = false;
      const written = await writeAway(writing, one, answeredAt);
      if (written === 'in-doubt') return waitAfterDoubt(one, retryMs);
      one.saysAway = true;
      one.writtenMs = performance.now();
    };
    const remove = async (removal: Removal) => {
      const { removed } = removal;
      const outcome = await deleteStatus(writing, removed);
      if (outcome === 'in-doubt') return waitAfterDoubt(removal, retryMs);
      if (outcome === 'refused') return waitAfterRefusal(removal);
      tellLater(removed.id, 'removed');
      removal.notBeforeMs = Number.POSITIVE_INFINITY;
    };

    const tellApi = async () => {
      for (let first = untold[0]; first; first = untold[0]) {
        const { id, outcome } = first;
        const told =
          outcome === 'removed'
            ? api.call(discordStatusBotHttp.settleRemoved, { params: { id } }, { signal })
            : api.call(discordStatusBotHttp.settle, { params: { id }, body: outcome }, { signal });
        await told.catch((error: unknown) => {
          // Other refusals may pass, such as a missing license.
          if (!(error instanceof ApiProblem && [400, 404, 409].includes(error.status))) throw error;
          log.warn({ err: error }, 'could not report the outcome of a status message');
        });
        untold.shift();
        const one = held.get(id);
        if (one && outcome !== 'removed' && outcome.outcome === 'posted') one.mark = null;
      }
    };
    const askApi = async () => {
      const answer = await api.call(discordStatusBotHttp.take, { body: { guildId } }, { signal });
      answeredAt = new Date();
      answeredMs = performance.now();
      const { language, messages, removed } = answer;
      for (const order of messages) {
        const one = held.get(order.id) ?? newHeld(order, language);
        held.set(order.id, one);
        // The answer is older than what has happened since.
        if (one.isBusy || untold.some(({ id }) => id === order.id)) continue;
        if (one.saysAway || one.order.messageId !== order.messageId) one.isChecked = false;
        if (one.order.post?.id !== order.post?.id) one.isInDoubt = false;
        // A message that was checked and differs from the confirmed state stays marked so until it is written.
        const shown = one.isChecked && one.order.shown === null ? null : order.shown;
        one.order = { ...order, shown };
        one.lastBoard = order.board ?? one.lastBoard;
        one.language = language;
        one.saysAway = false;
      }
      const named = new Set(messages.map(({ id }) => id));
      for (const [id, { isBusy }] of held) if (!isBusy && !named.has(id)) held.delete(id);
      const leaving = new Set(removed.map(({ id }) => id));
      for (const [id, { isBusy }] of removals) if (!isBusy && !leaving.has(id)) removals.delete(id);
      for (const one of removed)
        if (!removals.has(one.id))
          removals.set(one.id, { removed: one, isBusy: false, failures: 0, notBeforeMs: 0 });
    };

    const isDue = ({ isBusy, notBeforeMs }: { isBusy: boolean; notBeforeMs: number }) =>
      !isBusy && performance.now() >= notBeforeMs;
    const mayEdit = ({ order, isChecked, writtenMs }: HeldMessage) =>
      order.messageId === null || !isChecked || performance.now() - writtenMs >= betweenEditsMs;
    const isBeingPosted = (post: string | undefined) =>
      [...held.values()].some(({ isBusy, order }) => isBusy && post !== undefined && order.post?.id === post);
    const work = () => {
      for (const one of held.values())
        if (isDue(one) && mayEdit(one) && isWanting(one)) start(one, () => keep(one));
      for (const one of removals.values())
        if (isDue(one) && !isBeingPosted(one.removed.post?.id)) start(one, () => remove(one));
    };
    const workWithoutApi = () => {
      if (performance.now() - answeredMs < awayAfterMs) return;
      for (const one of held.values())
        if (isDue(one) && !one.saysAway && one.order.messageId !== null) start(one, () => sayAway(one));
    };

    const ended = poll({
      async turn(): Promise<undefined> {
        try {
          await tellApi();
          await askApi();
          work();
        } catch (error) {
          if (!signal.aborted) workWithoutApi();
          throw error;
        }
      },
      restMs: () => pollMs,
      mostRestMs: pollMs * 5,
      failure: 'could not fetch status messages',
    });

    return {
      async [Symbol.asyncDispose]() {
        client.off(Events.Raw, onRaw);
        client.off(Events.ShardReady, onReady);
        await ended;
        await Promise.all(underWay);
      },
    };
  };
