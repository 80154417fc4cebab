import { createTokenBuckets } from '#runtime/throttle/token-buckets.ts';
import { waitAtMost } from '#runtime/within.ts';
import type { ChatTrusts } from '../chat-trust/chat-trust.ts';
import { type CommandName, parseCommand, readChatRules } from '../parse-command.ts';
import type { StorefrontContext } from '../storefront-context.ts';
import { claim, redeem, tellHelp, tellPoints } from './account-commands.ts';
import { createAsking } from './asking.ts';
import { buy } from './buy-command.ts';
import type { ChatContext } from './chat-context.ts';
import type { ChatLine, HeardLine } from './chat-line.ts';
import { link, spendTypedCode } from './link-command.ts';
import { createPrivateAnswers } from './private-answers.ts';
import { showShop } from './shop-command.ts';
import { createShownLists } from './shop-list.ts';
import { takeSurvivor } from './survivor-command.ts';

/** An agent that was away reports what was said in between: no one waits for an answer to that any more. */
const freshMs = 120_000;
const stopDeadlineMs = 2000;
/** Each answer costs the game a command. Someone who only has the same name as a player uses up none of the player's tries. */
const playerFlood = { capacity: 5, refillMs: 10_000 };
const serverFlood = { capacity: 40, refillMs: 500 };
const warnings = { capacity: 1, refillMs: 60_000 };
const mostKeysKept = 10_000;

/** What spends, links or directs gifts is refused where anyone who controls the server could say it for a player. */
const needTrust: ReadonlySet<CommandName> = new Set(['buy', 'link', 'survivor']);

const carryOut = (
  chat: ChatContext,
  command: CommandName,
  line: ChatLine,
  argument: string,
): Promise<void> => {
  switch (command) {
    case 'shop':
      return showShop(chat, line, argument);
    case 'buy':
      return buy(chat, line, argument);
    case 'points':
      return tellPoints(chat, line);
    case 'claim':
      return claim(chat, line);
    case 'redeem':
      return redeem(chat, line, argument);
    case 'link':
      return link(chat, line, argument);
    case 'survivor':
      return takeSurvivor(chat, line, argument);
    case 'help':
      return tellHelp(chat, line);
  }
};

/** Everything that players type to Castellan in the chat of their games, such as `!shop`. */
export const createChatCommands = (context: StorefrontContext, trusts: Pick<ChatTrusts, 'statusOf'>) => {
  const { now, licenseHolds, log } = context;
  const answers = createPrivateAnswers(context);
  const chat: ChatContext = {
    ...context,
    answers,
    asking: createAsking(context, answers),
    shown: createShownLists(now),
  };
  const underWay = new Set<Promise<void>>();
  const known = new Set<string>();
  const playerTries = createTokenBuckets(playerFlood, now);
  const serverTries = createTokenBuckets(serverFlood, now);
  const warned = createTokenBuckets(warnings, now);
  let isStopping = false;

  const isRepeat = (key: string): boolean => {
    if (known.has(key)) return true;
    known.add(key);
    const [oldest] = known;
    if (known.size > mostKeysKept && oldest !== undefined) known.delete(oldest);
    return false;
  };

  /** A line that gets no answer: from an unknown player, too old, reported again later, one of too many, or without a license. */
  const passOver = async (command: CommandName, argument: string): Promise<void> => {
    if (command === 'link') await spendTypedCode(chat, argument);
  };

  const hasServerTries = ({ serverId, isProven }: ChatLine): boolean =>
    serverTries.tryTake(`${serverId} ${isProven}`) === 0;
  const run = async (command: CommandName, line: ChatLine, argument: string): Promise<void> => {
    const player = `${line.playerId} ${line.isProven}`;
    const waitMs = playerTries.tryTake(player);
    if (waitMs === 0 && hasServerTries(line)) {
      const status = needTrust.has(command) ? await trusts.statusOf(line) : 'trusted';
      if (status === 'trusted') return carryOut(chat, command, line, argument);
      await passOver(command, argument);
      return void (await answers.tell(line, (await answers.words())[status]));
    }
    await passOver(command, argument);
    // At most once a minute.
    if (waitMs > 0 && warned.tryTake(player) === 0 && hasServerTries(line))
      await answers.tell(line, (await answers.words()).tooFast(Math.ceil(waitMs / 1000)));
  };

  /** @param wasLicensed when the line was heard */
  const obey = async ({ playerId, comesAgain, ...line }: HeardLine, wasLicensed: boolean): Promise<void> => {
    const { isOpen, ...grammar } = await readChatRules(context.settings);
    const typed = parseCommand(line.text, grammar);
    if (!typed || isStopping || isRepeat(line.key)) return;
    const { command, argument } = typed;
    // Linking existed before the shop, and is not part of it.
    if (!isOpen && command !== 'link') return;
    const isFresh = now() - line.at.getTime() <= freshMs;
    // While a server's agent is away its console may be heard; an agent that follows the game's log reports those lines
    // again, and one line buys once. A code in it has been read by everyone, and is used up.
    const isHeard = playerId !== null && isFresh && !comesAgain;
    if (isHeard && wasLicensed && licenseHolds()) await run(command, { ...line, playerId }, argument);
    else await passOver(command, argument);
  };

  return {
    take(lines: readonly HeardLine[]): void {
      for (const line of lines) {
        if (isStopping) return;
        const work: Promise<void> = obey(line, licenseHolds())
          .catch((error: unknown) => log.warn({ err: error }, 'chat command failed'))
          .finally(() => underWay.delete(work));
        underWay.add(work);
      }
    },
    /** Resolves when every accepted line is answered. */
    async idle(): Promise<void> {
      while (underWay.size > 0) await Promise.all(underWay);
    },
    async [Symbol.asyncDispose]() {
      isStopping = true;
      // A game that hangs delays a whisper for longer than a stop may take.
      await waitAtMost(stopDeadlineMs, Promise.all(underWay));
    },
  };
};
