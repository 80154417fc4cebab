import { randomInt } from 'node:crypto';
import type { MemberDetails } from '#contracts/members.ts';
import type { Log } from '#runtime/log.ts';
import { createTokenBuckets } from '#runtime/throttle/token-buckets.ts';
import type { AuditContext } from '../access/audit-context.ts';
import { isRefusal, type Refusal } from '../http/refusal.ts';
import type { ChatCommand, ChatLine } from './chat-commands.ts';

type Outcome = MemberDetails | Refusal;

export interface LinkCommandOptions {
  readonly members: {
    ofPlayer(playerId: string): Promise<Outcome>;
    linkCode(id: string, by: AuditContext): Promise<{ code: string; expiresAt: string } | Refusal>;
    takeCode(
      id: string,
      code: string,
      by: AuditContext,
    ): Promise<{ readonly keptId: string; readonly whose: string } | Refusal>;
    merge(id: string, mergedId: string, by: AuditContext): Promise<Outcome>;
  };
  readonly whisper: (told: {
    readonly playerId: string;
    readonly serverId: string;
    readonly text: string;
    readonly secret?: string;
  }) => Promise<unknown>;
  readonly now?: () => number;
  readonly log: Log;
}

/** A code was typed: the player who reads whose it is has yet to confirm it. */
interface Pending {
  /** The member whose code it was. */
  readonly keptId: string;
  readonly number: string;
  readonly untilMs: number;
  triesLeft: number;
}

/** Each costs the game a command. */
const tries = { capacity: 5, refillMs: 20_000 };
const pendingMs = 600_000;
const numberTries = 3;

/** No game tells the language of its players, and a whisper has one line. */
const texts = {
  linked: 'Linked. / Vinculado.',
  alreadyLinked: 'Already linked to Discord. / Já vinculado ao Discord.',
  codeInvalid: 'This code is wrong or too old. / Este código está errado ou expirou. (Discord: /link)',
  refused: 'This cannot be linked; ask an admin. / Não é possível vincular; fale com um administrador.',
  discordCode: (code: string) => `Discord: /link ${code} (10 min). Tell no one / Não conte a ninguém.`,
  number: (whose: string, number: string) =>
    `${whose}: your player and points go there / seu jogador e pontos vão para lá. Only if that is you / Só se for você: !link ${number}`,
};

/**
 * `!link` whispers a code for Discord's `/link`. `!link CODE` takes one that `/link` gave: whose it is, and a number, are
 * whispered to the player, and `!link NUMBER` completes it. So neither a name that is imitated nor a code that someone was
 * talked into typing gives a wallet away.
 */
export const createLinkCommand = ({
  members,
  whisper,
  now = Date.now,
  log,
}: LinkCommandOptions): ChatCommand => {
  const triesOf = createTokenBuckets(tries, now);
  const pending = new Map<string, Pending>();

  const outcomeText = (outcome: Outcome): string | null => {
    if (!isRefusal(outcome)) return texts.linked;
    // An answer to each of many guesses would only cost the game commands.
    if (outcome.refused === 'RATE_LIMITED') return null;
    return outcome.refused === 'LINK_CODE_INVALID' ? texts.codeInvalid : texts.refused;
  };

  const confirm = async (playerId: string, memberId: string, number: string, by: AuditContext) => {
    const asked = pending.get(playerId);
    if (!asked || asked.untilMs < now()) return texts.codeInvalid;
    if (asked.number !== number) {
      asked.triesLeft -= 1;
      if (asked.triesLeft === 0) pending.delete(playerId);
      return texts.codeInvalid;
    }
    pending.delete(playerId);
    return outcomeText(await members.merge(asked.keptId, memberId, by));
  };

  /** @returns what the player is told; null: nothing */
  const answer = async (
    line: ChatLine,
    argument: string,
  ): Promise<{ text: string; secret?: string } | null> => {
    const { playerId, name } = line;
    const member = await members.ofPlayer(playerId);
    if (isRefusal(member)) return null;
    const nothing: ReadonlySet<never> = new Set();
    const actor = { kind: 'player', id: playerId, name, permissions: nothing } as const;
    const by = { actor: { ...actor, serverPermissions: new Map() }, address: '' };
    const plain = (text: string | null) => (text === null ? null : { text });
    if (argument === '') {
      if (member.discordId !== null) return plain(texts.alreadyLinked);
      const issued = await members.linkCode(member.id, by);
      if (isRefusal(issued)) return plain(outcomeText(issued));
      return { text: texts.discordCode(issued.code), secret: issued.code };
    }
    if (/^\d{6}$/.test(argument)) return plain(await confirm(playerId, member.id, argument, by));
    const taken = await members.takeCode(member.id, argument, by);
    if (isRefusal(taken)) return plain(outcomeText(taken));
    const number = String(randomInt(1_000_000)).padStart(6, '0');
    const untilMs = now() + pendingMs;
    for (const [id, { untilMs: endMs }] of pending) if (endMs < now()) pending.delete(id);
    pending.set(playerId, { keptId: taken.keptId, number, untilMs, triesLeft: numberTries });
    return { text: texts.number(taken.whose, number), secret: number };
  };

  return {
    word: 'link',
    async run(line, argument) {
      const { playerId, serverId } = line;
      if (triesOf.tryTake(playerId) > 0) return;
      const told = await answer(line, argument);
      if (!told) return;
      const whispered = await whisper({ playerId, serverId, ...told });
      if (isRefusal(whispered)) log.info({ serverId, why: whispered.refused }, 'no whisper for !link');
    },
  };
};
