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
    ): Promise<{ readonly keptId: string; readonly discordId: string; readonly username: string } | Refusal>;
    spendCode(code: string): Promise<void>;
    merge(id: string, mergedId: string, by: AuditContext, keptDiscordId: string): Promise<Outcome>;
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
  /** Theirs when the player was told of it. */
  readonly discordId: string;
  readonly number: string;
  readonly untilMs: number;
  readonly isProven: boolean;
}

/** Each costs the game a command. */
const tries = { capacity: 5, refillMs: 20_000 };
const pendingMs = 600_000;
/** Of a player, whatever the code. */
const wrongNumbers = { capacity: 3, refillMs: 600_000 };
const numbers = /^\d{6}$/;

/** No game tells the language of its players, and a whisper has one line. */
const texts = {
  linked: 'Linked. / Vinculado.',
  alreadyLinked: 'Already linked to Discord. / Já vinculado ao Discord.',
  codeInvalid: 'This code is wrong or too old. / Este código está errado ou expirou. (Discord: /link)',
  refused: 'This cannot be linked; ask an admin. / Não é possível vincular; fale com um administrador.',
  notInDiscord: 'Type !link, and that code in Discord. / Use !link e digite aquele código no Discord.',
  pending: 'First answer the question from before (10 min). / Responda antes à pergunta anterior (10 min).',
  tooManyNumbers: 'Too many wrong numbers; try later. / Muitos números errados; tente mais tarde.',
  discordCode: (code: string) => `Discord: /link ${code} (10 min). Tell no one / Não conte a ninguém.`,
  number: (username: string, number: string) =>
    `Discord ${username}: your player and points go there / seu jogador e pontos vão para lá. Only if that is you / Só se for você: !link ${number}`,
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
  const wrongOf = createTokenBuckets(wrongNumbers, now);
  const pending = new Map<string, Pending>();

  const outcomeText = (outcome: Outcome): string | null => {
    if (!isRefusal(outcome)) return texts.linked;
    // An answer to each of many guesses would only cost the game commands.
    if (outcome.refused === 'RATE_LIMITED') return null;
    if (outcome.refused === 'DISCORD_NOT_LINKED') return texts.notInDiscord;
    return outcome.refused === 'LINK_CODE_INVALID' ? texts.codeInvalid : texts.refused;
  };

  const askedOf = (playerId: string): Pending | undefined => {
    for (const [id, { untilMs }] of pending) if (untilMs < now()) pending.delete(id);
    return pending.get(playerId);
  };

  const confirm = async (
    { playerId, isProven }: ChatLine,
    memberId: string,
    number: string,
    by: AuditContext,
  ) => {
    const asked = askedOf(playerId);
    if (!asked) return texts.codeInvalid;
    // Someone who bears the same name.
    if (asked.isProven && !isProven) return null;
    if (asked.number !== number) {
      if (wrongOf.tryTake(playerId) > 0 || wrongOf.waitMs(playerId) > 0) pending.delete(playerId);
      return texts.codeInvalid;
    }
    pending.delete(playerId);
    return outcomeText(await members.merge(asked.keptId, memberId, by, asked.discordId));
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
    if (numbers.test(argument)) return plain(await confirm(line, member.id, argument, by));
    if (wrongOf.waitMs(playerId) > 0) return plain(texts.tooManyNumbers);
    const taken = await members.takeCode(member.id, argument, by);
    if (isRefusal(taken)) return plain(outcomeText(taken));
    // Who only bears the name of a player does not take their question away.
    if (askedOf(playerId) && !line.isProven) return plain(texts.pending);
    const number = String(randomInt(1_000_000)).padStart(6, '0');
    const untilMs = now() + pendingMs;
    const { keptId, discordId, username } = taken;
    pending.set(playerId, { keptId, discordId, number, untilMs, isProven: line.isProven });
    return { text: texts.number(username, number), secret: number };
  };
  /** Others have read it in the chat. */
  const spend = async (argument: string): Promise<void> => {
    if (argument !== '' && !numbers.test(argument)) await members.spendCode(argument);
  };

  return {
    word: 'link',
    async run(line, argument) {
      const { playerId, serverId, isProven } = line;
      // Whoever only bears the name uses up no tries of the player.
      const isAllowed = triesOf.tryTake(`${playerId} ${isProven}`) === 0;
      let told: Awaited<ReturnType<typeof answer>> = null;
      try {
        if (isAllowed) told = await answer(line, argument);
      } finally {
        await spend(argument);
      }
      if (!told) return;
      const whispered = await whisper({ playerId, serverId, ...told });
      if (isRefusal(whispered)) log.info({ serverId, why: whispered.refused }, 'no whisper for !link');
    },
    passOver: spend,
  };
};
